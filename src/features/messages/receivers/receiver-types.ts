import type { ReceiverType } from '../../../core/outbox/delivery.ts';

type MessageReceiverType = ReceiverType & {
  /** It writes to the visitor, and never sees what a visitor wrote. */
  isForVisitor?: boolean;
};

function forOwner(about: Pick<ReceiverType, 'name' | 'label' | 'recipients'>): MessageReceiverType {
  const showWaiting = showDeliveries(about.name);
  return { ...about, isForOwner: true, isFailingReported: true, showWaiting };
}

function showDeliveries(name: string): string {
  return `inbox -- deliveries --waiting --to ${name}`;
}

/** What messages are delivered to. */
export const receiverTypes = {
  sheet: forOwner({ name: 'sheet', label: 'Sheet', recipients: 'sheet' }),
  mail: {
    ...forOwner({ name: 'mail', label: 'Email to you', recipients: 'mailbox' }),
    isReadAtOnce: true,
    takesDigests: true,
  },
  webhook: {
    ...forOwner({ name: 'webhook', label: 'Webhook', recipients: 'webhook' }),
    isReadAtOnce: true,
  },
  acknowledgements: {
    name: 'acknowledgements',
    label: 'Acknowledgement to visitors',
    recipients: 'visitors who sent a message',
    isForVisitor: true,
    showWaiting: showDeliveries('acknowledgements'),
  },
} as const satisfies Record<string, MessageReceiverType>;

const all: readonly MessageReceiverType[] = Object.values(receiverTypes);

/** The names, in the order of the table. */
export const messageReceivers: readonly string[] = all.map(({ name }) => name);

export function getReceiverLabel(name: string): string {
  return all.find(type => type.name === name)?.label ?? name;
}

export function isForVisitor(name: string): boolean {
  return all.some(type => type.name === name && type.isForVisitor);
}
