import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { listCopyTargets } from '../copy-targets.ts';
import { describeAudit } from '../describe-counts.ts';
import {
  hasSubscriberData,
  isNothingFound,
  listRemoteReceivers,
  type PersonalData,
} from '../search-personal-data.ts';
import { listSections } from './list-sections.ts';

type PersonNeeds = DepsOf<typeof listCopyTargets> & {
  domainDeps: DepsOf<typeof listRemoteReceivers>;
  config: { dataDir: string };
  clock: Clock;
};

export async function readPerson(services: PersonNeeds, found: PersonalData) {
  const { domainDeps, config, clock } = services;
  const now = clock.now();
  const remote = await listRemoteReceivers(domainDeps, found, listCopyTargets(services));
  const { subscriber } = found.newsletter ?? {};
  const isKnownSubscriber = hasSubscriberData(found.newsletter);
  return {
    sections: listSections(found, config.dataDir, now),
    elsewhere: remote.map(({ receiver, destination, references }) => ({
      where: describeReceiver(receiver, destination),
      references,
    })),
    earlier: found.audit.map(entry => {
      const { label, counts } = describeAudit(entry);
      return { text: counts ? `${label}: ${counts}` : label, at: formatMoment(entry.done_at, now) };
    }),
    hashOnly: subscriber?.address === null ? (reasons[subscriber.suppression_reason] ?? '') : null,
    canExport: found.messages.length > 0 || isKnownSubscriber || subscriber !== undefined,
    canCorrect: found.messages.length > 0 || isKnownSubscriber,
    canErase: !isNothingFound(found),
  };
}

const reasons: Record<string, string> = {
  bounce: 'mail to it could not be delivered',
  complaint: 'it complained about a mail',
  owner: 'you stopped mail to it',
  erased: 'it was erased',
};

const receiverLabels: Record<string, string> = {
  sheet: 'Your sheet service',
  mail: 'Your mailbox, and its archives',
  webhook: 'The system behind your webhook',
};

function describeReceiver(receiver: string, destination: string | undefined): string {
  return `${receiverLabels[receiver] ?? receiver} (${destination ?? 'no longer set up'})`;
}
