import { readContent } from '../../content/read-content.ts';
import {
  type DataController,
  exportPerson,
  type RetentionTexts,
  recordExport,
} from '../../domain/privacy/export-person.ts';
import { hasSubscriberData, searchPersonalData } from '../../domain/privacy/search-personal-data.ts';
import { formatRetention } from '../../lib/format-period.ts';
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
  const about = {
    address: matcher.address,
    createdAt,
    from: readController(services),
    retention: describeRetention(services),
  };
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

function readController({ config: { siteUrl } }: Services): DataController {
  const { content } = readContent(contentFolder);
  const policy = siteUrl && { policy: `${siteUrl}/privacy` };
  if (!content) {
    printNote('content/ has validation errors, so the file does not name your company');
    return { ...policy };
  }
  const { email, address } = content.company;
  return { name: content.brand.name, email, address: address.join(', '), ...policy };
}

function describeRetention({ config: { retention } }: Services): RetentionTexts {
  return {
    messages: formatRetention(retention.messagesDays),
    quarantinedMessages: formatRetention(retention.quarantineDays),
    newsletter: 'while it is sent, and after that as proof, until its erasure is asked for',
  };
}
