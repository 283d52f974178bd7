import { parseDeliverableAddress } from '../../lib/email-address.ts';
import { sendTestIssue } from '../../server/send-test-issue.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { exitWithError, printError, printJson, printNote } from '../print.ts';
import { readIssueOrExit } from './issue-file.ts';

export async function sendTest(
  services: Services,
  file: string,
  values: Flags<'json'> & { to: string },
): Promise<void> {
  const to = parseDeliverableAddress(values.to)?.address;
  if (!to) return exitWithError(`'${values.to}' is not a valid email address`);
  const draft = readIssueOrExit(file);
  const outcome = await sendTestIssue(services, draft, to);
  if (values.json) printJson({ to, ...outcome });
  if (outcome.kind === 'delivered') {
    if (!values.json)
      printNote(`Test for ${to} sent to ${services.newsletter.subscriberMail.newsletter.destination}`);
    return;
  }
  printError(`test not sent: ${outcome.reason}`);
  if ('isAmbiguous' in outcome && outcome.isAmbiguous) printNote('It may have arrived anyway.');
}
