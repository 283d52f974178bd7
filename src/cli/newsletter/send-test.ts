import { parseAddress } from '../../domain/subscribers/address.ts';
import type { Wired } from '../../server/wire.ts';
import { complain } from '../complain.ts';
import { fail, note, print } from '../say.ts';
import { type Call, refuse } from './call.ts';
import { readIssueFile } from './issue-file.ts';

const patienceMs = 40_000;

/** One mail, at once and past the outbox. Its leave link works, and takes nobody off the list. */
export async function sendTest({ newsletter, ids, clock }: Wired, { given, values }: Call): Promise<void> {
  if (!values.to) refuse('test takes --to ADDRESS.');
  const to = parseAddress(values.to)?.address;
  if (!to) return complain(`'${values.to}' is not an address that mail can be sent to.`);
  const { draft } = readIssueFile(given[0] as string);
  const { subject, html, text } = newsletter.writeIssue(draft);
  const outcome = await newsletter.letters.sendTest(
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
    AbortSignal.timeout(patienceMs),
  );
  if (values.json) print({ to, ...outcome });
  if (outcome.kind === 'delivered') {
    if (!values.json) note(`The test for ${to} went to ${newsletter.letters.newsletter.place}.`);
    return;
  }
  fail(`The test was not sent: ${outcome.why}.`);
  if ('isAmbiguous' in outcome && outcome.isAmbiguous) note('It may have arrived all the same.');
}
