import type { SettingsPart } from '../../../core/settings/define-settings.ts';
import { acknowledgements } from './acknowledgement-mail.ts';
import type { ReceiverDefinition } from './define-receiver.ts';
import { mail } from './mail-receiver.ts';
import { sheet } from './sheet-receiver.ts';
import { webhook } from './webhook-receiver.ts';

/** What messages are delivered to: the table from which settings, labels, lists and queues follow. */
export const receivers: readonly ReceiverDefinition[] = [sheet, mail, webhook, acknowledgements];

export const receiverNames: readonly string[] = receivers.map(({ name }) => name);

export const receiverSettings: Record<string, SettingsPart> = Object.assign(
  {},
  ...receivers.map(({ settings }) => settings),
);

export function findReceiver(name: string): ReceiverDefinition | undefined {
  return receivers.find(receiver => receiver.name === name);
}

export function getReceiverLabel(name: string): string {
  return findReceiver(name)?.label ?? name;
}

export function isForOwner(name: string): boolean {
  return findReceiver(name)?.isForOwner === true;
}

export function isForVisitor(name: string): boolean {
  return findReceiver(name)?.isForVisitor === true;
}
