import type { Core } from '../../../core/feature.ts';
import type { Payload, Receiver, ReceiverType } from '../../../core/outbox/delivery.ts';
import type { SettingsPart } from '../../../core/settings/define-settings.ts';
import type { MessagePayload } from '../payloads.ts';

/** Pages of all messages that were delivered to a receiver, the oldest first. */
export type ReadDelivered = (receiver: string) => AsyncIterable<MessagePayload[]>;

/** One entry of the table of receivers. */
export type ReceiverDefinition<Taken extends Payload = never> = ReceiverType & {
  /** It writes to the visitor, and never sees what a visitor wrote. */
  isForVisitor?: boolean;
  /** As an export for the sender of a message calls it. */
  toSender: string;
  /** What it leaves elsewhere, which the owner has to erase: at the desk, and in a task. */
  copies?: { place: string; what: string };
  /** Its part of the environment, by its heading in .env.example. */
  settings?: Record<string, SettingsPart>;
  /** Undefined where it is not set up. */
  create(core: Core, readDelivered: ReadDelivered): Receiver<Taken> | undefined;
};

type OwnerReceiverType = Pick<
  ReceiverType,
  'name' | 'label' | 'recipients' | 'isReadAtOnce' | 'takesDigests'
>;

export function forOwner(type: OwnerReceiverType): ReceiverType {
  return { ...type, isForOwner: true, isFailingReported: true, showWaiting: showDeliveries(type.name) };
}

export function showDeliveries(name: string): string {
  return `inbox -- deliveries --waiting --to ${name}`;
}
