import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { sendIssue } from '../../src/features/newsletter/send-issue.ts';
import type { TestDesk } from './desk.ts';
import type { ViewName } from './desk-pages.ts';
import { newMessage } from './sample-message.ts';
import { bringToState, verbDeps } from './subscribers.ts';

/** Where a view is. The answer to a form is at the form's path: what is filled in by label, and the button. */
export type SampleView = { path: string; fields?: Record<string, string>; button?: RegExp };

const text =
  'Hello,\n\nwe are an accountancy of twenty people in Leeds. A client asks us for a penetration test report before March. Could you tell us what it costs, and when you could start?\n\nKind regards';
const senders = ['Priya Nair', 'Tom Okafor', 'Anneliese Featherstonehaugh-Cholmondeley', 'שרה כהן', 'j@x.io'];

/** Every view of the desk and a few of their states, with sample data. The last ones delete some of it. */
export async function createSampleViews(desk: TestDesk): Promise<Record<string, SampleView>> {
  const [newest = '', second = ''] = await addMessages(desk);
  const { issue, subscriber } = await addNewsletter(desk);
  const body = 'What [is new](/faq).\n\n- One thing\n- Another\n\n## Then\n\nMore words.';
  const draft = await findPath(desk, '/newsletter/drafts', {
    subject: 'November',
    preview: 'In short',
    body,
  });
  const person = await findPath(desk, '/privacy', { email: 'priya@example.com' });
  await desk.post('/health/backups');
  const [post = '', other = ''] = readdirSync(join(desk.root, 'content/blog'));
  await desk.post('/words/posts/change', { file: `blog/${other}`, action: 'draft' });

  const states: Record<string, SampleView> = {
    'messages/quarantine': { path: '/messages?state=quarantined' },
    'newsletter/new-draft': { path: '/newsletter/new' },
    'words/post-editor': { path: `/words/edit?file=blog/${post}` },
  };
  const views: Record<ViewName, SampleView> = {
    overview: { path: '/' },
    figures: { path: '/figures?weeks=12' },
    problem: { path: '/no-such-page' },
    'messages/list': { path: '/messages' },
    'messages/message': { path: `/messages/${newest}` },
    'messages/delete': { path: `/messages/delete?reference=${newest}` },
    'messages/release': { path: '/messages/release?reason=links' },
    'newsletter/issues': { path: '/newsletter' },
    'newsletter/draft': { path: draft },
    'newsletter/post': { path: `/newsletter/posts/${post.replace('.md', '')}` },
    'newsletter/send': { path: `${draft}/send` },
    'newsletter/issue': { path: `/newsletter/issues/${issue}` },
    'newsletter/subscribers': { path: '/newsletter/subscribers' },
    'newsletter/subscriber': { path: `/newsletter/subscribers/${subscriber}` },
    'newsletter/import': { path: '/newsletter/import' },
    'words/list': { path: '/words' },
    'words/editor': { path: '/words/edit?file=company.yaml' },
    'words/posts': { path: '/words/posts' },
    'words/brand': { path: '/words/brand' },
    'words/images': { path: '/words/images' },
    'words/history': { path: '/words/history' },
    'words/publish': { path: '/words/publish' },
    health: { path: '/health' },
    'health/launch': { path: '/health/launch' },
    'health/setting': { path: '/health/settings/SMTP_URL' },
    'privacy/start': { path: '/privacy' },
    'privacy/person': { path: person },
    'privacy/correct': { path: person, fields: { 'Right name': 'Priya Whitcombe' }, button: /^Correct…/ },
    'privacy/erase': { path: `${person}/erase` },
    'messages/deleted': { path: `/messages/delete?reference=${second}`, button: /for good$/ },
    'privacy/outcome': { path: `${person}/erase`, button: /^Erase for good/ },
  };
  return { ...states, ...views };
}

export async function openView(page: Page, { path, fields = {}, button }: SampleView): Promise<void> {
  await page.goto(path);
  await waitForHydration(page);
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
  if (!button) return;
  const answered = page.waitForEvent('load');
  await page.getByRole('button', { name: button }).press('Enter');
  await answered;
  await waitForHydration(page);
}

async function waitForHydration(page: Page): Promise<void> {
  const isHydrated = () =>
    page.locator('main').evaluate(main => Object.keys(main).some(key => key.startsWith('__react')));
  while (!(await isHydrated())) await page.waitForTimeout(20);
}

/** Returns the references of those that a person wrote. */
async function addMessages({ services }: TestDesk): Promise<string[]> {
  const { messages, outbox, receiverStates } = services.domainDeps;
  const ago = (minutes: number) => new Date(services.clock.now().getTime() - minutes * 60_000).toISOString();
  const references: string[] = [];
  for (const [index, name] of senders.entries()) {
    const email = `${name.split(' ')[0]?.toLowerCase()}@example.com`;
    const about = { name, email, message: text, service: index % 2 ? 'Network Security' : '' };
    const when = { received_at: ago(30 + index * 2000), receivers: ['mail'] };
    references.push((await messages.add(newMessage({ ...about, ...when }))).reference);
  }
  for (const reason of ['links', 'flood', 'campaign']) {
    const held = { state: 'quarantined', quarantine_reason: reason, received_at: ago(90) } as const;
    await messages.add(newMessage({ ...held, name: 'SEO Expert', message: 'Rank first on Google!' }));
  }
  await messages.addNote(references[0] ?? '', 'Called back, sends the scope on Friday.', ago(5));
  await receiverStates.pause('confirmations', '535 authentication failed', ago(20));
  const claim = { receiver: 'mail', now: ago(0), lease: 'x', leaseUntil: ago(0), limit: 2 };
  const failure = { state: 'failed', reason: '550 mailbox full', attempts: 9, isAmbiguous: false } as const;
  for (const one of await outbox.claim(claim))
    await outbox.settle(one, { ...failure, isPossibleDuplicate: false, now: ago(1) });
  return references;
}

async function addNewsletter({ services }: TestDesk): Promise<{ issue: string; subscriber: string }> {
  const states = ['confirmed', 'confirmed', 'pending', 'unsubscribed', 'complaint'] as const;
  const ids: string[] = [];
  for (const [index, state] of states.entries())
    ids.push(await bringToState(verbDeps(services), `reader-${index}@example.com`, state));
  const mail = { html: '<p>Hello.</p>', text: 'Hello.', resendUnconfirmed: false, resendFailed: false };
  const about = { name: '2026-10', hash: 'x', subject: 'Three things we learnt in October' };
  const { reference } = await sendIssue(services.domainDeps, { ...about, ...mail });
  return { issue: reference, subscriber: ids[0] ?? '' };
}

/** What a form makes. */
async function findPath(desk: TestDesk, path: string, fields: Record<string, string>): Promise<string> {
  const response = await desk.post(path, fields);
  return response.headers.get('location')?.split('?')[0] ?? '';
}
