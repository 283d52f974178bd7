import type { MessageRow } from '../../core/database/tables.ts';
import type { Delivery } from '../../core/outbox/deliveries.ts';
import { type CopyTargets, listMailTasks, type RemoteCopies, type Task } from '../../core/personal-data.ts';
import type { Messages } from './messages.ts';
import { findReceiver, isForVisitor } from './receivers/receivers.ts';
import { isHeldBack } from './states.ts';

type TaskDeps = { messages: Pick<Messages, 'listDeliveries'> };

type Copied = { deliveries: readonly Delivery[]; mentions: readonly Pick<MessageRow, 'reference'>[] };

/** Of these messages, and of the deliveries that name their receivers. */
export async function listErasureTasks(
  deps: TaskDeps,
  targets: CopyTargets,
  found: Copied & { messages: readonly Pick<MessageRow, 'reference' | 'state'>[] },
): Promise<Task[]> {
  const copies = await listRemoteCopies(deps, targets, found);
  const quarantined = found.messages.filter(({ state }) => isHeldBack(state));
  return [
    ...buildRemoteCopyTasks(copies, 'delete'),
    ...(targets.mailServer && quarantined.length > 0
      ? [
          {
            where: 'mail (digests)',
            what: "delete the mails 'messages in quarantine' that list these references",
            references: quarantined.map(({ reference }) => reference),
          },
        ]
      : []),
    ...listMailTasks(
      targets.mailServer,
      found.deliveries.filter(({ receiver }) => isForVisitor(receiver)),
    ),
  ];
}

export function buildRemoteCopyTasks(copies: readonly RemoteCopies[], verb: 'delete' | 'correct'): Task[] {
  return copies.map(({ receiver, destination, references }) => ({
    where: destination ? `${receiver} (${destination})` : `${receiver} (no longer configured)`,
    what: `${verb} the ${findReceiver(receiver)?.copies?.what ?? receiver} with these references`,
    references,
  }));
}

export async function listRemoteCopies(
  { messages }: TaskDeps,
  { destinations, local }: CopyTargets,
  { deliveries, mentions }: Copied,
): Promise<RemoteCopies[]> {
  const others = await messages.listDeliveries(mentions.map(({ reference }) => reference));
  const copied = [...deliveries, ...others].filter(({ kind, receiver, state, is_ambiguous }) => {
    const mayHave =
      state === 'delivered' || state === 'sending' || state === 'unconfirmed' || is_ambiguous === 1;
    const isLocal = isForVisitor(receiver) || local.has(receiver);
    return kind === 'message' && mayHave && !isLocal;
  });
  return [...Map.groupBy(copied, ({ receiver }) => receiver)].map(([receiver, rows]) => ({
    receiver,
    label: findReceiver(receiver)?.copies?.place ?? receiver,
    destination: destinations.get(receiver),
    references: [...new Set(rows.map(({ reference }) => reference))].sort(),
  }));
}
