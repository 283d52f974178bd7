import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sendIssue } from '../src/domain/newsletter/send-issue.ts';
import { createSmtpServer } from '../tests/fakes/smtp-server.ts';
import { launchBrowser } from '../tests/harness/browser.ts';
import { startDesk } from '../tests/harness/desk.ts';
import { newMessage } from '../tests/harness/sample-message.ts';
import { root } from '../tests/harness/site.ts';
import { subscriberMailSettings } from '../tests/harness/subscriber-mail.ts';
import { bringToState, verbDeps } from '../tests/harness/subscribers.ts';

/** `npm run proof -- desk-screenshots [VIEW]` writes views of the desk at three widths to screenshots/desk/. */
const only = process.argv[2] ?? '';
const folder = join(root, 'screenshots/desk');
const widths = [390, 768, 1440];
mkdirSync(folder, { recursive: true });
await using smtp = await createSmtpServer();
await using desk = await startDesk(subscriberMailSettings(smtp));
const { domainDeps, clock } = desk.services;
const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString();

const text =
  'Hello,\n\nwe are an accountancy of twenty people in Leeds. A client asks us for a penetration test report before March. Could you tell us what it costs, and when you could start?\n\nKind regards';
const senders = ['Priya Nair', 'Tom Okafor', 'Anneliese Featherstonehaugh-Cholmondeley', 'שרה כהן', 'j@x.io'];
const references: string[] = [];
for (const [index, name] of senders.entries()) {
  const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
  const about = { name, email, message: text, service: index % 2 ? 'Network Security' : '' };
  const when = { received_at: ago(30 + index * 2000), receivers: ['mail'] };
  references.push((await domainDeps.messages.add(newMessage({ ...about, ...when }))).reference);
}
const [reference = ''] = references;
for (const reason of ['links', 'flood', 'campaign']) {
  const held = { state: 'quarantined', quarantine_reason: reason, received_at: ago(90) } as const;
  await domainDeps.messages.add(
    newMessage({ ...held, name: 'SEO Expert', message: 'Rank first on Google!' }),
  );
}
await domainDeps.messages.addNote(reference, 'Called back, sends the scope on Friday.', ago(5));
await domainDeps.receiverStates.pause('confirmations', '535 authentication failed', ago(20));
const claim = { receiver: 'mail', now: ago(0), lease: 'x', leaseUntil: ago(0), limit: 2 };
const failure = { state: 'failed', reason: '550 mailbox full', attempts: 9, isAmbiguous: false } as const;
for (const one of await domainDeps.outbox.claim(claim))
  await domainDeps.outbox.settle(one, { ...failure, isPossibleDuplicate: false, now: ago(1) });

const ids: string[] = [];
for (const [index, state] of (
  ['confirmed', 'confirmed', 'pending', 'unsubscribed', 'complaint'] as const
).entries())
  ids.push(await bringToState(verbDeps(desk.services), `reader-${index}@example.com`, state));
const mail = { html: '<p>Hello.</p>', text: 'Hello.', resendUnconfirmed: false, resendFailed: false };
const about = { name: '2026-10', hash: 'x', subject: 'Three things we learnt in October' };
const issue = await sendIssue(domainDeps, { ...about, ...mail });
const body = 'What [is new](/faq).\n\n- One thing\n- Another\n\n## Then\n\nMore words.';
const draft = await desk.post('/newsletter/drafts', { subject: 'November', preview: 'In short', body });
const person = await desk.post('/privacy', { email: 'priya@example.com' });
await desk.post('/health/backups');
const at = (response: Response) => response.headers.get('location')?.split('?')[0] ?? '';
const [post = ''] = readdirSync(join(desk.root, 'content/blog'));

const views: Record<string, string> = {
  ...{ overview: '/', messages: '/messages', quarantine: '/messages?state=quarantined' },
  ...{ message: `/messages/${reference}`, delete: `/messages/delete?reference=${reference}` },
  ...{ release: '/messages/release?reason=links', 'privacy-start': '/privacy', 'privacy-person': at(person) },
  ...{ 'privacy-erase': `${at(person)}/erase`, newsletter: '/newsletter', draft: at(draft) },
  ...{ send: `${at(draft)}/send`, issue: `/newsletter/issues/${issue.reference}` },
  ...{ post: `/newsletter/posts/${post.replace('.md', '')}`, subscribers: '/newsletter/subscribers' },
  ...{ subscriber: `/newsletter/subscribers/${ids[0]}`, import: '/newsletter/import', words: '/words' },
  ...{ editor: '/words/edit?file=company.yaml', 'post-editor': `/words/edit?file=blog/${post}` },
  ...{ posts: '/words/posts', brand: '/words/brand', images: '/words/images', history: '/words/history' },
  ...{ publish: '/words/publish', figures: '/figures?weeks=12', health: '/health', launch: '/health/launch' },
  ...{ setting: '/health/settings/SMTP_URL', problem: '/no-such-page' },
};
/** Answers to a form, or what is left after one: name, page of the form, what is filled in, its button. */
const answers: [string, string, Record<string, string>, RegExp][] = [
  ['privacy-correct', at(person), { Name: 'Priya Nair-Whitcombe' }, /correct/i],
  ['privacy-corrected', '', {}, /^Correct 1 message/],
  ['deleted', `/messages/delete?reference=${references[1]}`, {}, /for good/],
  ['erased', `${at(person)}/erase`, {}, /^Erase/],
];
await using browser = await launchBrowser();
for (const width of widths) {
  const page = await desk.openPage(browser, { viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  for (const [name, path] of Object.entries(views)) {
    if (!name.includes(only)) continue;
    await page.goto(path, { waitUntil: 'networkidle' });
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }
  await page.close();
}
const page = await desk.openPage(browser, { reducedMotion: 'reduce' });
for (const [name, path, fields, button] of answers) {
  if (path) await page.goto(path);
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  await page.getByRole('button', { name: button }).click();
  await page.waitForLoadState('networkidle');
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(folder, `${name}-${width}.png`), fullPage: true });
  }
}
process.stdout.write(`${folder}\n`);
