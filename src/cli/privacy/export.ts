import { exportPerson, recordExport } from '../../domain/privacy/export-person.ts';
import { hasSubscriberData, searchPersonalData } from '../../domain/privacy/search-personal-data.ts';
import { readExportDetails } from '../../server/export-details.ts';
import { contentFolder } from '../../server/mail-texts.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { describeCounts, formatCount, printError, printNote } from '../print.ts';
import { isStandardOutput, writeOutput } from '../write-output.ts';
import { parseAddressMatcher } from './find.ts';

export async function exportAll(
  services: Services,
  address: string,
  path: string,
  values: Flags<'force'>,
): Promise<void> {
  const matcher = parseAddressMatcher(address);
  const isStandard = isStandardOutput(path);
  const deps = services.domainDeps;
  const found = await searchPersonalData(deps, matcher);
  if (found.messages.length === 0 && !hasSubscriberData(found.newsletter) && !found.newsletter?.subscriber) {
    return printError(`no data of ${matcher.address} found. Nothing was written.`);
  }
  const createdAt = services.clock.now().toISOString();
  const details = readExportDetails(services.config, contentFolder);
  if (!details.from.name) printNote('content/ has validation errors, so the file does not name your company');
  const about = { address: matcher.address, createdAt, ...details };
  const document = await exportPerson(deps, found, about);
  await writeOutput(path, [`${JSON.stringify(document, null, 2)}\n`], values);
  const counts = await recordExport(deps, { address: matcher.address, createdAt, found });
  if (!isStandard) printNote(`Exported to ${path}: ${describeCounts(counts) || 'no messages'}`);
  if (found.mentions.length > 0) {
    printNote(
      `Not exported, because others wrote them: ${formatCount(found.mentions.length, 'message')} containing the address. ` +
        'To list them: npm run privacy -- find ADDRESS',
    );
  }
}
