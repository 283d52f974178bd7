import type { ErasureLogRow } from '../../core/database/tables.ts';
import { addCounts, type Counts, type ErasureLog, type PersonalDataSteps } from '../../core/personal-data.ts';
import { countFound, type FoundPerson } from './search-personal-data.ts';

export type DataController = {
  name?: string;
  email?: string;
  address?: string;
  policy?: string;
};

type ExportDeps = { personalData: readonly Pick<PersonalDataSteps, 'explain'>[] };

export async function exportPerson(
  { personalData }: ExportDeps,
  found: FoundPerson,
  { from, ...about }: { address: string; createdAt: string; from: DataController },
) {
  const { mentions = 0 } = countFound(found);
  const counts: Counts = {};
  const documents: Record<string, unknown> = {};
  for (const part of found.parts) {
    const exported = await part.exportData();
    Object.assign(documents, exported.document);
    addCounts(counts, exported.counts);
  }
  const document = {
    about: `All personal data stored about ${about.address}, and where copies were sent. Times are in UTC.`,
    ...(mentions > 0 && {
      notIncluded: `Messages from other people that mention the address: ${mentions}.`,
    }),
    ...about,
    from,
    retention: Object.assign({}, ...personalData.map(({ explain }) => explain?.retention)),
    usedFor: Object.assign({}, ...personalData.map(({ explain }) => explain?.usedFor)),
    ...explain(from),
    ...documents,
    earlierRequests: found.log.map(({ action, done_at }) => ({
      what: actionLabels[action],
      done: done_at,
    })),
  };
  return { document, counts };
}

/** GDPR Art. 15: what is disclosed besides the data itself. */
function explain({ email }: DataController) {
  const to = email ? `Write to ${email}` : 'Write to us';
  return {
    seenBy: [
      'the people at our company who answer messages',
      'providers that run a server, spreadsheet, mail or chat system for us, on our instructions',
    ],
    comesFrom: 'you, through the forms of our website, unless an entry says that it was imported',
    automatedDecisions: 'none',
    yourRights: `${to} to have something corrected or erased, to restrict or object to its use, or to withdraw a consent. It costs nothing.`,
    complaints: `${to} and begin with the words ‘data-protection complaint’. You may also complain to the data-protection authority of the country where you live or work.`,
  };
}

const actionLabels: Record<ErasureLogRow['action'], string> = {
  erase: 'erased',
  'erase-newsletter': 'erased from the newsletter',
  'erase-message': 'erased a message',
  rectify: 'rectified',
  export: 'exported',
};

export async function recordExport(
  { erasureLog }: { erasureLog: Pick<ErasureLog, 'record' | 'hashAddress'> },
  { address, createdAt, counts }: { address: string; createdAt: string; counts: Counts },
): Promise<void> {
  await erasureLog.record([
    {
      hash: erasureLog.hashAddress(address),
      action: 'export',
      done_at: createdAt,
      counts: JSON.stringify(counts),
    },
  ]);
}
