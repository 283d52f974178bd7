import { parseDeliverableAddress } from '../../lib/email-address.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { exitWithError, printError, printJson, printNote } from '../print.ts';
import { readIssueFile } from './issue-file.ts';

const timeoutMs = 40_000;

export async function sendTest(
  { newsletter, ids, clock }: Services,
  file: string,
  values: Flags<'json'> & { to: string },
): Promise<void> {
  const to = parseDeliverableAddress(values.to)?.address;
  if (!to) return exitWithError(`'${values.to}' is not a valid email address`);
  const { draft } = readIssueFile(file);
  const { subject, html, text } = newsletter.renderIssue(draft);
  const outcome = await newsletter.subscriberMail.sendTest(
    {
      kind: 'issue',
      reference: ids.reference(),
      receivedAt: clock.now().toISOString(),
      to,
      subscriber: 'test',
      subject: `[Test] ${subject}`,
      html,
      text,
    },
    AbortSignal.timeout(timeoutMs),
  );
  if (values.json) printJson({ to, ...outcome });
  if (outcome.kind === 'delivered') {
    if (!values.json) printNote(`Test for ${to} sent to ${newsletter.subscriberMail.newsletter.destination}`);
    return;
  }
  printError(`test not sent: ${outcome.reason}`);
  if ('isAmbiguous' in outcome && outcome.isAmbiguous) printNote('It may have arrived anyway.');
}
