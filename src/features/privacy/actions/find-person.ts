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
import { createAddressMatcher } from '../../../core/address-matcher.ts';
import type { Clock } from '../../../core/clock.ts';
import { contentFolder } from '../../../core/content/content-folder.ts';
import { describeCounts } from '../../../lib/describe-counts.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { describeLogRow } from '../describe-log-row.ts';
import { readDataController } from '../export-details.ts';
import { exportPerson, recordExport } from '../export-person.ts';
import { listFindings } from '../list-findings.ts';
import {
  countFound,
  type FoundPerson,
  isNothingFound,
  listRemoteCopies,
  searchPersonalData,
} from '../search-personal-data.ts';

const defineAction = actionsNeeding<{
  domainDeps: DepsOf<typeof searchPersonalData | typeof exportPerson | typeof recordExport>;
  config: DepsOf<typeof readDataController> & { dataDir: string };
  clock: Clock;
}>();

export const address = field('<address>', '', parsed(createAddressMatcher, 'It is not an email address.'));

export const find = defineAction({
  name: 'find',
  about: 'list the data stored about an address',
  examples: ['zoe@example.com'],
  input: v.object({ address }),
  async run({ domainDeps, config }, { address: matcher }) {
    const found = await searchPersonalData(domainDeps, matcher);
    const remote = await listRemoteCopies(found);
    const isListed = found.copies.length > 0 || found.parts.some(({ findings }) => findings.length > 0);
    return {
      found,
      isKnown: !isNothingFound(found) || isListed,
      dataDir: config.dataDir,
      remote: remote.map(({ receiver }) => receiver),
    };
  },
  print: ({ found, isKnown, dataDir, remote }, { address: matcher }) => [
    ...describeFindings(found, dataDir),
    ...found.parts.map(({ remark }) => remark?.command),
    isKnown
      ? undefined
      : { error: `no ${found.log.length > 0 ? 'other ' : ''}data found for ${matcher.address}` },
    remote.length > 0 &&
      `Copies delivered to other systems cannot be searched from here: ${remote.join(', ')}`,
  ],
  json: ({ found, isKnown }, { address: matcher }) => ({
    address: matcher.address,
    isKnown,
    ...findingsToJson(found),
  }),
});

export function describeFindings(found: FoundPerson, dataDir: string): Printed[] {
  return [
    [...listFindings(found, dataDir)],
    ...found.log.map(entry => {
      const { label, counts } = describeLogRow(entry);
      return `${label} on ${entry.done_at.slice(0, 16).replace('T', ' ')}${counts && `: ${counts}`}`;
    }),
  ];
}

export function findingsToJson({ parts, copies, log }: FoundPerson): Record<string, unknown> {
  const audit = log.map(({ action, done_at, counts }) => ({ action, done_at, counts: JSON.parse(counts) }));
  return Object.assign({}, ...parts.map(({ json }) => json), { copies, audit });
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
    if (!found.parts.some(({ canExport }) => canExport))
      throw new Refusal(`no data of ${address} found. Nothing was written.`);
    const createdAt = clock.now().toISOString();
    const from = readDataController(config, content);
    const { document, counts } = await exportPerson(domainDeps, found, { address, createdAt, from });
    const result = {
      isNamed: from.name !== undefined,
      mentions: countFound(found).mentions ?? 0,
      counts: {} as Record<string, number>,
      parts: write(),
    };
    return result;

    /** Recorded once it is written. */
    async function* write(): AsyncGenerator<string> {
      yield `${JSON.stringify(document, null, 2)}\n`;
      await recordExport(domainDeps, { address, createdAt, counts });
      result.counts = counts;
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
