import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { type Controller, exportPerson, type RetentionTexts } from '../../domain/privacy/export-person.ts';
import { hasSubscriberData, searchPersonalData } from '../../domain/privacy/search-personal-data.ts';
import { formatRetention } from '../../lib/format-period.ts';
import type { Wired } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { formatCount, printError, printNote } from '../print.ts';
import { isStandardOutput, writeOutput } from '../write-output.ts';
import { depsOf, readTrace } from './find.ts';

const folder = resolve(import.meta.dirname, '../../../content');

/** Messages of others that mention the person are left out. */
export async function exportAll(
  wired: Wired,
  address: string,
  path: string,
  values: Flags<'force'>,
): Promise<void> {
  const trace = readTrace(address);
  const isStandard = isStandardOutput(path);
  const deps = depsOf(wired);
  const found = await searchPersonalData(deps, trace);
  if (found.messages.length === 0 && !hasSubscriberData(found.newsletter) && !found.newsletter?.subscriber) {
    return printError(`Nothing of their own is known of ${trace.address}: nothing was written.`);
  }
  const madeAt = wired.clock.now().toISOString();
  const about = {
    address: trace.address,
    madeAt,
    from: readController(wired),
    retention: describeRetention(wired),
  };
  const document = await exportPerson(deps, found, about);
  await writeOutput(path, [`${JSON.stringify(document, null, 2)}\n`], values);
  const counts = { messages: found.messages.length, newsletter: Number(hasSubscriberData(found.newsletter)) };
  await deps.privacy.record([
    {
      hash: deps.audit.ofAddress(trace.address),
      action: 'export',
      done_at: madeAt,
      counts: JSON.stringify(counts),
    },
  ]);
  if (!isStandard)
    printNote(
      `${formatCount(found.messages.length, 'message')}${counts.newsletter ? ' and the newsletter' : ''}: ${path}`,
    );
  if (found.mentions.length > 0) {
    printNote(
      `Not in it, because others wrote them: ${formatCount(found.mentions.length, 'message')} in which the address stands. ` +
        'To see which: npm run privacy -- find ADDRESS',
    );
  }
}

/** Mistakes in content/ do not delay an answer that the law sets a term for. */
function readController({ config: { siteUrl } }: Wired): Controller {
  const { content } = readContent(folder);
  const policy = siteUrl && { policy: `${siteUrl}/privacy` };
  if (!content) {
    printNote('content/ has mistakes: the file does not say who you are.');
    return { ...policy };
  }
  const { name, email, address } = content.company;
  return { name, email, address: address.join(', '), ...policy };
}

function describeRetention({ config: { retention } }: Wired): RetentionTexts {
  return {
    messages: formatRetention(retention.messagesDays),
    quarantinedMessages: formatRetention(retention.quarantineDays),
    newsletter: 'while it is sent, and after that as proof, until its erasure is asked for',
  };
}
