import * as v from 'valibot';
import {
  actionsNeeding,
  type DepsOf,
  field,
  flag,
  type Printed,
  parsed,
  Refusal,
} from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import { contentFolder } from '../../../core/content/content-folder.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { createAddressMatcher } from '../address-matcher.ts';
import { listCopyTargets } from '../copy-targets.ts';
import { describeAudit, describeCounts } from '../describe-counts.ts';
import { readExportDetails } from '../export-details.ts';
import { exportPerson, recordExport } from '../export-person.ts';
import { listFindings } from '../list-findings.ts';
import {
  hasSubscriberData,
  isNothingFound,
  listRemoteReceivers,
  type PersonalData,
  searchPersonalData,
} from '../search-personal-data.ts';

const defineAction = actionsNeeding<
  DepsOf<typeof listCopyTargets> & {
    domainDeps: DepsOf<typeof searchPersonalData> &
      DepsOf<typeof listRemoteReceivers> &
      DepsOf<typeof exportPerson> &
      DepsOf<typeof recordExport>;
    config: DepsOf<typeof readExportDetails> & { dataDir: string };
    clock: Clock;
  }
>();

export const address = field('<address>', '', parsed(createAddressMatcher, 'It is not an email address.'));

export const find = defineAction({
  name: 'find',
  about: 'list the data stored about an address',
  examples: ['zoe@example.com'],
  input: v.object({ address }),
  async run(services, { address: matcher }) {
    const { domainDeps, config } = services;
    const found = await searchPersonalData(domainDeps, matcher);
    const remote = await listRemoteReceivers(domainDeps, found, listCopyTargets(services));
    const isKnown = !isNothingFound(found) || found.copies.length > 0 || found.issues.length > 0;
    return { found, isKnown, dataDir: config.dataDir, remote: remote.map(({ receiver }) => receiver) };
  },
  print({ found, isKnown, dataDir, remote }, { address: matcher }) {
    const { subscriber } = found.newsletter ?? {};
    return [
      ...describeFindings(found, dataDir),
      subscriber?.address === null &&
        `The newsletter stores only a keyed hash of the address, and sends nothing to it (${subscriber.suppression_reason}).`,
      isKnown
        ? undefined
        : { error: `no ${found.audit.length > 0 ? 'other ' : ''}data found for ${matcher.address}` },
      remote.length > 0 &&
        `Copies delivered to other systems cannot be searched from here: ${remote.join(', ')}`,
    ];
  },
  json: ({ found, isKnown }, { address: matcher }) => ({
    address: matcher.address,
    isKnown,
    ...findingsToJson(found),
  }),
});

export function describeFindings(found: PersonalData, dataDir: string): Printed[] {
  return [
    [...listFindings(found, dataDir)],
    ...found.audit.map(entry => {
      const { label, counts } = describeAudit(entry);
      return `${label} on ${entry.done_at.slice(0, 16).replace('T', ' ')}${counts && `: ${counts}`}`;
    }),
  ];
}

export function findingsToJson(found: PersonalData) {
  const { messages, mentions, notes, newsletter, notices, issues, reports, copies, audit } = found;
  return {
    messages,
    mentions,
    notes,
    deliveries: found.deliveries.map(({ reference, receiver, state, created_at, settled_at }) => ({
      reference,
      receiver,
      state,
      created_at,
      settled_at,
    })),
    newsletter: newsletter?.subscriber || newsletter?.signUps.length ? describeNewsletter(newsletter) : null,
    notices,
    issues,
    reports: reports.map(({ domain, measuredAt }) => ({ domain, measuredAt })),
    copies,
    audit: audit.map(({ action, done_at, counts }) => ({ action, done_at, counts: JSON.parse(counts) })),
  };
}

function describeNewsletter({ subscriber, signUps, mails }: NonNullable<PersonalData['newsletter']>) {
  const shown = mails.map(({ kind, name: issue, state, created_at, settled_at }) => ({
    kind,
    issue,
    state,
    created_at,
    settled_at,
  }));
  return { subscriber: subscriber ?? null, requests: signUps, mails: shown };
}

export const exportData = defineAction({
  name: 'export',
  about: 'write the data to a file for the person',
  examples: ['zoe@example.com zoe.json'],
  input: v.object({
    address,
    file: field('<file>', 'output file; - for standard output', v.string()),
    force: flag('--force', 'overwrite an existing file'),
    content: v.optional(v.string(), contentFolder),
  }),
  async run({ domainDeps, config, clock }, { address: { address }, address: matcher, content }) {
    const found = await searchPersonalData(domainDeps, matcher);
    if (found.messages.length === 0 && !hasSubscriberData(found.newsletter) && !found.newsletter?.subscriber)
      throw new Refusal(`no data of ${address} found. Nothing was written.`);
    const createdAt = clock.now().toISOString();
    const details = readExportDetails(config, content);
    const document = await exportPerson(domainDeps, found, { address, createdAt, ...details });
    const result = {
      isNamed: details.from.name !== undefined,
      mentions: found.mentions.length,
      counts: {} as Record<string, number>,
      parts: write(),
    };
    return result;

    /** Recorded once it is written. */
    async function* write(): AsyncGenerator<string> {
      yield `${JSON.stringify(document, null, 2)}\n`;
      result.counts = await recordExport(domainDeps, { address, createdAt, found });
    }
  },
  file: ({ parts }) => parts,
  print: ({ isNamed, mentions, counts }, { file }) => [
    !isNamed && 'content/ has validation errors, so the file does not name your company',
    file !== '-' && `Exported to ${file}: ${describeCounts(counts) || 'no messages'}`,
    mentions > 0 &&
      `Not exported, because others wrote them: ${formatCount(mentions, 'message')} containing the address. ` +
        'To list them: npm run privacy -- find ADDRESS',
  ],
});
