import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { recordHeartbeat } from '../src/core/database/recorded-runs.ts';
import { sendIssue } from '../src/features/newsletter/send-issue.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { startDesk } from './harness/desk.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { settleDue } from './harness/settle-due.ts';
import { mailsTo, subscriberMailSettings } from './harness/subscriber-mail.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';

const ids: Record<string, string> = {};
const smtp = await disposeAfterAll(createSmtpServer());
const desk = await disposeAfterAll(startDesk(subscriberMailSettings(smtp)));
for (const state of ['confirmed', 'pending', 'unsubscribed', 'complaint', 'erased'] as const)
  ids[state] = await bringToState(verbDeps(desk.services), `${state}@example.com`, state);

/** React separates texts by comments. */
async function toText(response: Response): Promise<string> {
  return (await response.text()).replaceAll('<!-- -->', '');
}

async function read(path: string): Promise<string> {
  return toText(await desk.request(path));
}

/** The page that a post leads to. */
async function follow(
  path: string,
  fields: Record<string, string> = {},
): Promise<{ path: string; text: string }> {
  const response = await desk.post(path, fields);
  expect(response.status).toBe(303);
  const location = response.headers.get('location') ?? '';
  return { path: location, text: await read(location) };
}

/** The page that answers a post which saved nothing. */
async function refuse(path: string, fields: Record<string, string>, status: number): Promise<string> {
  const response = await desk.post(path, fields);
  expect(response.status).toBe(status);
  return toText(response);
}

describe('subscribers', () => {
  test('are found by a part of the address and by state, which no URL contains', async () => {
    const all = await read('/newsletter/subscribers');
    for (const text of ['confirmed@example.com', 'pending@example.com', 'Erased address', 'complained'])
      expect(all).toContain(text);
    const found = await follow('/newsletter/subscribers', { search: 'CONFIRMED@ex' });
    expect(found.path).toMatch(/^\/newsletter\/subscribers\?search=[\w-]{12}$/);
    expect(found.text).toContain('>confirmed@example.com<');
    expect(found.text).not.toContain('>pending@example.com<');
    expect((await follow('/newsletter/subscribers', { search: '%' })).text).toContain(
      'No address contains this',
    );
    expect(await read('/newsletter/subscribers?state=unsubscribed')).not.toContain('>confirmed@example.com<');
  });

  test('have the proof of their consent', async () => {
    const { consentTexts } = desk.services.store;
    const row = await desk.services.store.subscribers.get(ids.confirmed ?? '');
    const page = await read(`/newsletter/subscribers/${ids.confirmed}`);
    expect(page).toContain((await consentTexts.get(row?.consent_text ?? ''))?.text);
    for (const text of ['home page', row?.confirmed_at, row?.consent_requested_at])
      expect(page).toContain(text);
  });

  test('are stopped, allowed again and erased', async () => {
    const path = `/newsletter/subscribers/${await bringToState(verbDeps(desk.services), 'max@example.com', 'confirmed')}`;
    expect((await follow(`${path}/block`)).text).toContain('Nothing more is sent to this address');
    expect((await follow(`${path}/allow`)).text).toContain('confirmed again');
    expect(await read(`${path}/erase`)).toContain('Erase this address from the newsletter?');
    expect((await follow(`${path}/erase`)).path).toBe('/newsletter/subscribers?done=erased');
    expect(await read(path)).toContain('Only a code made from the address');
    expect((await desk.post(`${path}/allow`)).status).toBe(404);
    expect((await desk.post('/newsletter/subscribers/block', { email: 'no' })).status).toBe(422);
  });

  test('are exported as they are listed: by state, and by the search', async () => {
    const listAddresses = async (path: string) =>
      [...(await read(path)).matchAll(/^"(.*?)"/gm)].slice(1).map(([, address]) => address);
    const path = '/newsletter/subscribers/export';
    expect(await listAddresses(`${path}?state=confirmed`)).toEqual(['confirmed@example.com']);
    const { path: list } = await follow('/newsletter/subscribers', { search: 'pend' });
    expect(await listAddresses(list.replace('?', '/export?'))).toEqual(['pending@example.com']);
    // After a restart, or many searches, an address of the browser's history has one that is not remembered.
    const forgotten = await desk.request('/newsletter/subscribers?search=x&state=pending&page=2');
    const location = '/newsletter/subscribers?state=pending&done=forgotten';
    expect(forgotten.headers.get('location')).toBe(location);
    expect(await read(location)).toContain('Search again');
    expect((await desk.request(`${path}?search=x`)).status).toBe(409);
  });
});

describe('an issue', () => {
  const fields = {
    subject: 'Three things',
    preview: 'In short',
    body: 'What [is new](/faq).\r\n\r\n- One\r\n',
  };

  test('is saved as a file that the command can send, with its errors at their fields', async () => {
    expect((await desk.post('/newsletter/drafts', { subject: ' ' })).status).toBe(422);
    const broken = await follow('/newsletter/drafts', { ...fields, body: 'One\r\n\r\n[Two](/no-such-page)' });
    expect(broken.path).toMatch(/^\/newsletter\/drafts\/\d{4}-\d{2}-three-things\?done=saved$/);
    expect(broken.text).toContain('Line 3: links to &#x27;/no-such-page&#x27;: the site has no such page');
    expect((await desk.request(`${broken.path.split('?')[0]}/send`)).status).toBe(404);

    const [path = ''] = broken.path.split('?');
    const hash = /name="hash" value="([^"]+)"/.exec(broken.text)?.[1] ?? '';
    expect((await follow(path, { ...fields, hash })).text).toContain('Send to all');
    const kept = await refuse(path, { ...fields, body: 'Mine', hash }, 409);
    for (const text of ['Mine', 'Save first']) expect(kept).toContain(text);
    expect(kept).not.toContain('Send to all');
    const folder = join(desk.services.config.dataDir, 'newsletter');
    const [file = ''] = readdirSync(folder);
    expect(path).toBe(`/newsletter/drafts/${file.replace('.md', '')}`);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(
      '---\nsubject: Three things\npreview: In short\n---\n\nWhat [is new](/faq).\n\n- One\n',
    );
    mkdirSync(join(folder, `${file}.part`));
    const newest = /name="hash" value="([^"]+)"/.exec(await read(path))?.[1] ?? '';
    const failed = await refuse(path, { ...fields, body: 'Unwritten words', hash: newest }, 500);
    for (const text of ['Not saved: EISDIR', 'Unwritten words']) expect(failed).toContain(text);
    rmdirSync(join(folder, `${file}.part`));
    // A file that cannot be read is not taken for a free name.
    writeFileSync(join(folder, file.replace('.md', '-2.md')), Buffer.from([0xff]));
    expect((await follow('/newsletter/drafts', fields)).path).toMatch(/three-things-3\?done=saved$/);
    expect(await read(`${path}-2`)).toContain('cannot be read');
    for (const name of ['..%2Fmail', 'A', 'x'.repeat(61)])
      expect((await desk.request(`/newsletter/drafts/${name}`)).status).toBe(404);
  });

  test('is shown as a mail, light and dark, where nothing can run or be loaded', async () => {
    const { path } = await follow('/newsletter/drafts', { ...fields, subject: 'Shown' });
    const mail = `${path.split('?')[0]}/mail`;
    const light = await desk.request(mail);
    const policy = light.headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline';.*frame-ancestors 'self'; sandbox$/,
    );
    expect(await light.text()).toContain('href="http://site.example/faq"');
    expect(await read(`${mail}?scheme=dark`)).toContain('@media all');
    await follow(`${path.split('?')[0]}/delete`);
    expect((await desk.request(mail)).status).toBe(404);
    const deleted = await refuse(path.split('?')[0] ?? '', { ...fields, body: 'Typed meanwhile' }, 409);
    for (const text of ['deleted meanwhile', 'Typed meanwhile', `action="${desk.prefix}/newsletter/drafts"`])
      expect(deleted).toContain(text);
  });

  test('goes to one address as a test, and to all after a page that names their number', async () => {
    const { path: saved } = await follow('/newsletter/drafts', { ...fields, subject: 'To all' });
    const [path = ''] = saved.split('?');
    await follow(`${path}/test`, { to: 'me@example.com' });
    expect(mailsTo(smtp, 'me@example.com').map(mail => mail.header('subject'))).toEqual(['[Test] To all']);
    expect(await toText(await desk.post(`${path}/test`, { to: 'me@' }))).toContain('me@');
    smtp.script({ at: 'recipient', kind: 'answer', reply: '550 no such user' });
    const refused = await desk.post(`${path}/test`, { to: 'gone@example.com' });
    expect([refused.status, await toText(refused)]).toEqual([422, expect.stringMatching(/not sent: .*550/)]);

    const asked = await read(`${path}/send`);
    expect(asked).toContain('Send to 1 subscriber');
    expect(asked).toContain('it is not running');
    await recordHeartbeat(desk.services.domainDeps);
    expect(await read(`${path}/send`)).not.toContain('it is not running');
    expect((await desk.post(`${path}/send`, { hash: 'another text' })).status).toBe(409);
    const hash = /name="hash" value="([^"]+)"/.exec(asked)?.[1] ?? '';
    const issue = await follow(`${path}/send`, { hash });
    const [issuePath = ''] = issue.path.split('?');
    expect((await follow(`${issuePath}/stop`)).text).toContain('Go on');
    expect((await desk.post('/newsletter/issues/AAAAA-AAAAA/stop')).status).toBe(404);
    // A page that was left open does not start it again.
    expect((await desk.request(`${path}/send`)).headers.get('location')).toBe(issuePath);
    expect((await desk.post(`${path}/send`, { hash })).headers.get('location')).toBe(issuePath);
    expect(await read(issuePath)).toContain('Go on');
    expect((await follow(`${issuePath}/resume`)).text).toMatch(/of 1 sent.*>Stop</s);
    expect((await desk.request(path)).headers.get('location')).toBe(issuePath);
    const late = await refuse(path, { ...fields, body: 'Too late' }, 409);
    for (const text of ['sent meanwhile', 'Too late', `action="${desk.prefix}/newsletter/drafts"`])
      expect(late).toContain(text);

    await settleDue(desk.services, 'newsletter', { state: 'failed', reason: '550 gone' });
    expect(await read(issuePath)).toContain(`href="${desk.prefix}${issuePath}/unreached.csv"`);
    const row = '"confirmed@example.com","failed","9","550 gone"\r\n';
    expect(await read(`${issuePath}/unreached.csv`)).toContain(row);

    for (const action of ['resend-failed', 'stop']) await follow(`${issuePath}/${action}`);
    const mail = { hash: 'x', html: '', text: '', resendUnconfirmed: false, resendFailed: false };
    for (const name of ['newer-1', 'newer-2', 'newer-3'])
      await sendIssue(desk.services.domainDeps, { name, subject: name, ...mail });
    expect(await read('/')).toMatch(/issue is stopped.*‘To all’: 1 subscriber/s);
  });

  test('has the facts and posts that are published, and says where they differ from the present ones', async () => {
    const company = join(desk.root, 'content/company.yaml');
    const dist = join(desk.root, 'dist');
    cpSync(join(desk.root, 'content'), join(dist, 'builds/first/content'), { recursive: true });
    writeFileSync(join(dist, 'builds/first/files.json'), '[]');
    symlinkSync('builds/first', join(dist, 'current'));
    const before = readFileSync(company, 'utf8');
    const phone = /^phone: "(.+)"$/m.exec(before)?.[1] ?? '';
    const [published = ''] = readdirSync(join(desk.root, 'content/blog'));
    const post = join(desk.root, 'content/blog', published);
    const newPost = join(desk.root, 'content/blog/2026-01-02-not-yet-published.md');
    const text = readFileSync(post, 'utf8');
    try {
      const { path: saved } = await follow('/newsletter/drafts', {
        ...fields,
        subject: 'Call',
        body: 'Call {company.phone}.',
      });
      const [path = ''] = saved.split('?');
      expect(await read(path)).not.toContain('publish first');
      writeFileSync(company, before.replace(phone, '020 7946 0999'));
      const warning = /says &#x27;020 7946 \d+&#x27;.*changed it to &#x27;020 7946 0999&#x27;.*publish first/;
      for (const page of [path, `${path}/send`]) expect(await read(page)).toMatch(warning);
      const mail = await read(`${path}/mail`);
      expect(mail).toContain(phone);
      expect(mail).not.toContain('020 7946 0999');

      writeFileSync(post, `${text}\nWords that nobody has published.\n`);
      const postPath = `/newsletter/posts/${published.replace('.md', '')}`;
      expect(await read(postPath)).toContain('changed this post since it was published');
      expect(await read(`${postPath}/mail`)).not.toContain('nobody has published');
      writeFileSync(
        newPost,
        text
          .replace(/^date: .*$/m, 'date: 2026-01-02')
          .replace(/^title: .*$/m, 'title: Later')
          .replace(/^(summary: >-\n) {2}/m, '$1  Later. '),
      );
      expect(await read('/newsletter/posts/2026-01-02-not-yet-published')).toContain('is not published yet');
      expect(await read('/newsletter/new')).not.toContain('2026-01-02-not-yet-published');
      const early = await follow('/newsletter/drafts', {
        ...fields,
        subject: 'Early',
        body: '[New](/blog/not-yet-published)',
      });
      expect(early.text).toContain('that page is not published yet');
    } finally {
      writeFileSync(company, before);
      writeFileSync(post, text);
      rmSync(newPost, { force: true });
      rmSync(dist, { recursive: true });
    }
  });

  test('can be a post', async () => {
    const [file = ''] = readdirSync(join(desk.root, 'content/blog'));
    const path = `/newsletter/posts/${file.replace('.md', '')}`;
    expect(await read('/newsletter/new')).toContain(path);
    expect(await read(path)).toContain('Send to all');
    expect(await read(`${path}/send`)).toContain('http://site.example/blog/');
  });
});
