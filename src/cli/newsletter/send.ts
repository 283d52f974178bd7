import type { Wired } from '../../server/wire.ts';
import { confirm, type Flags } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';
import { exitWithError } from '../print-error.ts';
import { cutOffNote, describeProgress, followIssue } from './follow-issue.ts';
import { type IssueFile, readIssueFile } from './issue-file.ts';

type Values = { wait: boolean } & Flags<'yes' | 'resendUnsure' | 'resendFailed' | 'json'>;

export async function send(wired: Wired, file: string, values: Values): Promise<void> {
  const { newsletter, clock, ids, config } = wired;
  const { issues, receivers } = wired.store;
  const { draft } = readIssueFile(file);
  if (!newsletter.links) {
    exitWithError(
      'SITE_URL is not set: readers could not leave by the link in the mail. Nothing was queued.',
    );
  }
  if (draft.web && !config.siteUrl)
    exitWithError(
      'SITE_URL is not set: readers would get an address that is not on the web. Nothing was queued.',
    );
  const known = await issues.find(draft.name);
  if (known && known.digest !== draft.digest) {
    exitWithError(
      `${draft.name} was queued on ${known.queued_at} with other words. An issue is sent once: ` +
        (draft.web ? '' : 'give the file another name to send it as a new one, or ') +
        'put its words back to go on with the old one.',
    );
  }
  const isWanted = await ask(wired, draft, known?.reference, values);
  if (!isWanted) return;

  const now = clock.now().toISOString();
  const { subject, html, text } = newsletter.renderIssue(draft);
  const { name, digest } = draft;
  const reference = known?.reference ?? ids.reference();
  const issue = known ?? { reference, name, digest, subject, html, text, queued_at: now };
  const added = await issues.queue(issue);
  const stored = (await issues.find(name)) ?? issue;
  const letGo = await issues.letGo(stored.reference, now);
  const resent = values.resendUnsure ? await issues.resendUnsure(stored.reference, now) : 0;
  const retried = values.resendFailed ? await issues.resendFailed(stored.reference, now) : 0;
  // The owner who sends has mended what made the mail server refuse.
  await receivers.resume('newsletter');
  if (!values.json) {
    if (added > 0) printNote(`${formatCount(added, 'letter')} queued.`);
    else printNote('Nothing was added: everybody on the list has a letter of it.');
    if (letGo > 0) printNote(`${formatCount(letGo, 'letter')} that you had stopped may go.`);
    if (values.resendUnsure && resent === 0) printNote(`No letter is possibly sent yet. ${cutOffNote}`);
    if (resent > 0) printNote(`${formatCount(resent, 'letter')} that possibly arrived will be sent again.`);
    if (retried > 0) printNote(`${formatCount(retried, 'letter')} that failed will be tried again.`);
  }
  const counts = values.wait ? await followIssue(wired.store, stored) : await issues.count(stored.reference);
  if (values.json)
    printJson({ name, reference: stored.reference, added, letGo, resent, retried, letters: counts });
  else if (!values.wait) printNote(`To see how it goes: npm run newsletter -- status ${name}`);
  else if (counts) printNote(describeProgress(counts, name));
}

const monthMs = 28 * 24 * 60 * 60 * 1000;

async function ask(
  { store: { issues, subscribers }, config, newsletter }: Wired,
  { name, subject, web }: IssueFile,
  reference: string | undefined,
  values: Values,
): Promise<boolean> {
  const confirmed = await subscribers.count('confirmed');
  const counts = reference === undefined ? undefined : await issues.count(reference);
  const had = counts ? Object.values(counts).reduce((sum, one) => sum + one, 0) : 0;
  printNote(`Subject: ${subject}`);
  if (web) printNote(`On the web: ${config.siteUrl}${web}. Check that it is there: the letters lead to it.`);
  printNote(`Recipients: ${formatCount(confirmed, 'confirmed subscriber')}`);
  if (!config.mail.smtp) {
    const { destination } = newsletter.letters.newsletter;
    printNote(
      `SMTP_URL is not set here: a server without it, too, writes files into ${destination}, and nobody gets a mail.`,
    );
  }
  const last = (await issues.list(2)).find(other => other.name !== name);
  if (last && Date.now() - Date.parse(last.queued_at) < monthMs) {
    printNote(
      `The last issue, ${last.name}, is of ${last.queued_at.slice(0, 10)}. Readers agreed to at most one a month.`,
    );
  }
  if (counts)
    printNote(`${name} is known, with ${describeProgress(counts)}. Nobody whom it reached gets another.`);
  if (confirmed === 0 && had === 0) {
    printError('Nobody has confirmed yet, so there is nobody to send it to. Nothing was queued.');
    return false;
  }
  if (counts?.unsure && !values.resendUnsure) {
    printNote(
      `${formatCount(counts.unsure, 'letter')} possibly arrived; --resend-unsure sends them again, perhaps twice.`,
    );
  }
  if (counts?.dead && !values.resendFailed) {
    printNote(`${formatCount(counts.dead, 'letter')} failed; --resend-failed tries them again.`);
  }
  return confirm('Send it?', values, 'Nothing was queued');
}
