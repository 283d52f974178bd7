import type { Wired } from '../../server/wire.ts';
import { complain } from '../complain.ts';
import { fail, note, print } from '../say.ts';
import { askYes, canAsk } from '../terminal.ts';
import { type Call, count } from './call.ts';
import { cutOffNote, follow, summary } from './follow.ts';
import { type IssueFile, readIssueFile } from './issue-file.ts';

/** Queues a letter for everybody who has confirmed and has none of this issue yet, and follows what becomes of them. */
export async function send(wired: Wired, { given, values }: Call): Promise<void> {
  const { newsletter, clock, ids, config } = wired;
  const { issues, outbox } = wired.store;
  const { draft } = readIssueFile(given[0] as string);
  if (!newsletter.links) {
    complain('SITE_URL is not set: readers could not leave by the link in the mail. Nothing was queued.');
  }
  if (draft.web && !config.siteUrl)
    complain('SITE_URL is not set: readers would get an address that is not on the web. Nothing was queued.');
  const known = await issues.find(draft.name);
  if (known && known.digest !== draft.digest) {
    complain(
      `${draft.name} was queued on ${known.queued_at} with other words. An issue is sent once: ` +
        (draft.web ? '' : 'give the file another name to send it as a new one, or ') +
        'put its words back to go on with the old one.',
    );
  }
  const isWanted = await ask(wired, draft, known?.reference, values);
  if (!isWanted) return;

  const now = clock.now().toISOString();
  const { subject, html, text } = newsletter.writeIssue(draft);
  const { name, digest } = draft;
  const reference = known?.reference ?? ids.reference();
  const issue = known ?? { reference, name, digest, subject, html, text, queued_at: now };
  const added = await issues.queue(issue);
  const stored = (await issues.find(name)) ?? issue;
  const letGo = await issues.letGo(stored.reference, now);
  const resent = values['resend-unsure'] ? await issues.resendUnsure(stored.reference, now) : 0;
  const retried = values['resend-failed'] ? await issues.resendFailed(stored.reference, now) : 0;
  // Whoever sends has seen to what made the mail server refuse.
  await outbox.resume('newsletter');
  if (!values.json) {
    if (added > 0) note(`${count(added, 'letter')} queued.`);
    else note('Nothing was added: everybody on the list has a letter of it.');
    if (letGo > 0) note(`${count(letGo, 'letter')} that you had stopped may go.`);
    if (values['resend-unsure'] && resent === 0) note(`No letter is possibly sent yet. ${cutOffNote}`);
    if (resent > 0) note(`${count(resent, 'letter')} that possibly arrived will be sent again.`);
    if (retried > 0) note(`${count(retried, 'letter')} that failed will be tried again.`);
  }
  const counts = values['no-wait'] ? await issues.count(stored.reference) : await follow(wired.store, stored);
  if (values.json)
    print({ name, reference: stored.reference, added, letGo, resent, retried, letters: counts });
  else if (values['no-wait']) note(`To see how it goes: npm run newsletter -- status ${name}`);
  else if (counts) note(summary(counts, name));
}

/** Of the shortest month. */
const monthMs = 28 * 24 * 60 * 60 * 1000;

/** Says to how many it will go, and asks once. False: it is not to be. */
async function ask(
  { store: { issues, subscribers }, config, newsletter }: Wired,
  { name, subject, web }: IssueFile,
  reference: string | undefined,
  values: Call['values'],
): Promise<boolean> {
  const confirmed = await subscribers.count('confirmed');
  const counts = reference === undefined ? undefined : await issues.count(reference);
  const had = counts ? Object.values(counts).reduce((sum, one) => sum + one, 0) : 0;
  note(`Subject: ${subject}`);
  if (web) note(`On the web: ${config.siteUrl}${web}. Check that it is there: the letters lead to it.`);
  note(`Recipients: ${count(confirmed, 'confirmed subscriber')}`);
  if (!config.mail.smtp) {
    const { place } = newsletter.letters.newsletter;
    note(
      `SMTP_URL is not set here: a server without it, too, writes files into ${place}, and nobody gets a mail.`,
    );
  }
  const last = (await issues.list(2)).find(other => other.name !== name);
  if (last && Date.now() - Date.parse(last.queued_at) < monthMs) {
    note(
      `The last issue, ${last.name}, is of ${last.queued_at.slice(0, 10)}. Readers agreed to at most one a month.`,
    );
  }
  if (counts) note(`${name} is known, with ${summary(counts)}. Nobody whom it reached gets another.`);
  if (confirmed === 0 && had === 0) {
    fail('Nobody has confirmed yet, so there is nobody to send it to. Nothing was queued.');
    return false;
  }
  if (counts?.unsure && !values['resend-unsure']) {
    note(
      `${count(counts.unsure, 'letter')} possibly arrived; --resend-unsure sends them again, perhaps twice.`,
    );
  }
  if (counts?.dead && !values['resend-failed']) {
    note(`${count(counts.dead, 'letter')} failed; --resend-failed tries them again.`);
  }
  if (values.yes) return true;
  if (!canAsk()) {
    fail('Nothing was queued: there is nobody here to ask. Say --yes to send it.');
    return false;
  }
  if (await askYes('Send it?')) return true;
  fail('Nothing was queued.');
  return false;
}
