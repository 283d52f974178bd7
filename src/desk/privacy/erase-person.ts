import type { AddressMatcher } from '../../domain/privacy/address-matcher.ts';
import { describeCounts } from '../../domain/privacy/describe-counts.ts';
import { type Erased, erasePerson } from '../../domain/privacy/erase-person.ts';
import { buildPostgresCleanupTasks, listErasureTasks } from '../../domain/privacy/follow-up-tasks.ts';
import { searchPersonalData } from '../../domain/privacy/search-personal-data.ts';
import { formatCount } from '../../lib/format-count.ts';
import { listCopyTargets } from '../../server/copy-targets.ts';
import type { Services } from '../../server/wire.ts';
import type { OutcomeProps } from './props.ts';

export async function erase(
  services: Services,
  matcher: AddressMatcher,
  extraReferences: readonly string[],
): Promise<{ outcome: OutcomeProps; isDone: boolean }> {
  const { domainDeps } = services;
  const found = await searchPersonalData(domainDeps, matcher, extraReferences);
  const tasks = await listErasureTasks(domainDeps, listCopyTargets(services), found);
  const erased = await erasePerson(domainDeps, matcher, { extraReferences, found });
  const ownFiles = erased.remaining.copies.filter(({ kind }) => kind === 'unmanaged file');
  const done = [
    `Erased: ${describeCounts(erased.counts) || 'nothing'}.`,
    'A record of the erasure remains, without the address, so that a restored backup is erased again.',
  ];
  const problems = listProblems(erased);
  return {
    outcome: {
      done,
      problems,
      tasks: [
        ...tasks,
        ...ownFiles.map(({ path }) => ({
          where: path,
          what: 'this file of yours contains the address or a message: edit or delete it',
          references: [],
        })),
        ...erased.remaining.issues.map(name => ({
          where: `newsletter issue ${name}`,
          what: 'it contains the address, and was kept as it was sent',
          references: [],
        })),
        ...buildPostgresCleanupTasks(erased.cleanup),
      ],
      next: null,
    },
    isDone: problems.length === 0,
  };
}

function listProblems({ activeLeases, cleanup, remaining, at }: Erased): string[] {
  const later = remaining.messages.filter(({ receivedAt }) => receivedAt > at).length;
  const left = remaining.messages.length + remaining.mentions.length - later;
  const sending = [...new Set(activeLeases.map(({ reference, receiver }) => `${reference} to ${receiver}`))];
  return [
    ...(later > 0 ? [`Received meanwhile, and not erased: ${formatCount(later, 'message')}.`] : []),
    ...(left > 0 ? [`${formatCount(left, 'message')} could not be erased.`] : []),
    ...(sending.length > 0
      ? [`Being delivered at this moment: ${sending.join(', ')}. Repeat this in a minute.`]
      : []),
    ...(cleanup.kind === 'sqlite' && !cleanup.isClean
      ? ['A long read, such as a backup, still holds erased data. Repeat this when it has ended.']
      : []),
  ];
}
