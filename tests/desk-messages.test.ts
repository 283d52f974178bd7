import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import type { Page } from '../src/core/desk/page.ts';
import { storeFailure } from '../src/core/outbox/failures.ts';
import { fakeReport } from './fakes/audit-runner.ts';
import { startDesk } from './harness/desk.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { findFormulas } from './harness/injection-checks.ts';
import { newMessage } from './harness/sample-message.ts';
import { settleDue } from './harness/settle-due.ts';

const desk = await disposeAfterAll(startDesk());

/** Stores a message, and returns its reference. */
async function add(about: Parameters<typeof newMessage>[0] = {}): Promise<string> {
  const { reference } = await desk.services.domainDeps.messages.add(newMessage(about));
  return reference;
}

async function read<Props>(path: string): Promise<Page & { props: Props }> {
  const response = await desk.request(path, { headers: { accept: 'application/json' } });
  return (await response.json()) as Page & { props: Props };
}

async function getState(reference: string): Promise<string | undefined> {
  return (await desk.services.domainDeps.messages.get(reference))?.state;
}

async function listReferences(path: string): Promise<string[]> {
  const { props } = await read<{ messages: { reference: string }[] }>(path);
  return props.messages.map(({ reference }) => reference);
}

/** Posts a form, and returns where it leads and what the page there says. */
async function submit(path: string, fields: Record<string, string>) {
  const { status, headers } = await desk.post(path, fields);
  expect(status).toBe(303);
  const location = headers.get('location') ?? '';
  return { location, notice: (await read(location)).notice };
}

describe('a change', () => {
  test('leads back to the message, which it changes once', async () => {
    const reference = await add();
    for (const [change, state, text] of [
      ['answer', 'answered', 'Marked as answered.'],
      ['close', 'closed', 'Closed.'],
      ['reopen', 'new', 'Marked as new again.'],
      ['spam', 'spam', 'Moved to spam.'],
      ['release', 'new', 'Released.'],
    ] as const) {
      const fields = { change, reference, from: 'message', list: 'state=all' };
      for (const _ of ['once', 'twice']) {
        const { location, notice } = await submit('/messages/change', fields);
        expect(location).toMatch(new RegExp(`^/messages/${reference}\\?state=all`));
        expect(notice).toMatchObject({ kind: 'done', text: expect.stringContaining(text) });
      }
      expect(await getState(reference)).toBe(state);
    }
  });

  test('of many messages counts those that could not be changed', async () => {
    const [one, other, spam] = [await add(), await add(), await add({ state: 'spam' })];
    const body = new URLSearchParams({ change: 'close', list: 'state=new&search=x' });
    for (const reference of [one, other, spam, 'AAAAA-AAAAA', '<script>'])
      body.append('reference', reference);
    const response = await desk.request('/messages/change', { method: 'POST', body });
    const location = response.headers.get('location') ?? '';
    expect(location).toBe('/messages?state=new&search=x&done=close&changed=2&held=1&gone=1');
    expect((await read(location)).notice?.text).toBe(
      '2 messages closed. 1 not changed: release it from quarantine or spam first. 1 not changed: deleted meanwhile.',
    );
    expect([await getState(one), await getState(spam)]).toEqual(['closed', 'spam']);
    const all = await (await desk.request('/messages?state=all')).text();
    for (const change of ['reopen', 'release']) expect(all).toContain(`value="${change}"`);
  });

  test('that is not possible any more says so, an unknown one is not found, and none leads to another site', async () => {
    const fields = { reference: await add({ state: 'spam' }), from: 'message', list: '' };
    const { notice } = await submit('/messages/change', { ...fields, change: 'answer' });
    const text = 'Not changed: release it from quarantine or spam first.';
    expect(notice).toEqual({ kind: 'failed', text });
    expect((await desk.post('/messages/change', { ...fields, change: 'explode' })).status).toBe(404);
    const unknown = { ...fields, reference: 'AAAAA-AAAAA', change: 'close' };
    expect((await desk.post('/messages/change', unknown)).status).toBe(404);
    expect((await desk.request('/messages/AAAAA-AAAAA')).status).toBe(404);
    expect((await desk.post('/messages/AAAAA-AAAAA/notes', { note: 'x' })).status).toBe(404);
    const list = '//evil.example/?state=//evil.example';
    const { location } = await submit('/messages/change', { change: 'close', reference: await add(), list });
    expect(location).toMatch(/^\/messages\?state=new&done=close/);
  });
});

test('a failed delivery is marked, explained and tried again', async () => {
  const reference = await add({ receivers: ['sheet'] });
  const reason = storeFailure({ code: 'answered', status: 503 });
  await settleDue(desk.services, 'sheet', { state: 'failed', reason });
  const { props } = await read<{ messages: object[] }>('/messages?delivery=failed');
  expect(props.messages).toMatchObject([{ reference, isUndelivered: true }]);
  const html = await (await desk.request(`/messages/${reference}`)).text();
  expect(html).toContain('It had a fault of its own (answered 503)');
  const { receiverStates } = desk.services.domainDeps;
  await receiverStates.pause('sheet', '401', new Date().toISOString());
  const { notice } = await submit('/messages/change', { change: 'retry', reference, from: 'message' });
  expect(notice?.text).toContain('a receiver is paused');
  expect(await (await desk.request(`/messages/${reference}`)).text()).toContain('The receiver is paused');
  await receiverStates.resume('sheet');
  const [delivery] = await desk.services.domainDeps.outbox.list({ reference }, 1);
  expect(delivery).toMatchObject({ state: 'waiting', attempts: 0 });
});

describe('the list', () => {
  test('shows pages by state, service and day, and finds words', async () => {
    const service = `Service ${randomUUID()}`;
    const at = (minute: number) => `2026-07-01T0${minute}:30:00.000Z`;
    // Half past midnight in London, where it is summer.
    const first = await add({ service, received_at: '2026-06-30T23:30:00.000Z', message: 'Früh' });
    const later = await add({ service, received_at: at(1), state: 'closed' });
    const query = `service=${encodeURIComponent(service)}`;
    expect(await listReferences(`/messages?${query}`)).toEqual([first]);
    expect(await listReferences(`/messages?state=all&${query}`)).toEqual([later, first]);
    expect(await listReferences(`/messages?state=all&${query}&since=2026-07-01`)).toEqual([later, first]);
    expect(await listReferences(`/messages?state=all&${query}&since=2026-07-02`)).toEqual([]);
    expect(await listReferences(`/messages?state=all&${query}&search=fruh`)).toEqual([first]);
    expect(await listReferences(`/messages?state=all&${query}&before=${later}`)).toEqual([first]);
  });

  test('offers a search of one state for all of them, with its words and filters', async () => {
    const word = randomUUID();
    const closed = await add({ message: word, state: 'closed' });
    const answered = await add({ message: word, state: 'answered' });
    const findLink = async (path: string) => {
      const page = await (await desk.request(path)).text();
      const [, link] = /href="([^"]*)">Search all states</.exec(page) ?? [];
      return link?.replaceAll('&amp;', '&').slice(desk.prefix.length);
    };
    for (const state of ['new', 'closed']) {
      const link = (await findLink(`/messages?state=${state}&search=${word}&delivery=waiting`)) ?? '';
      expect(new URL(link, desk.origin).searchParams.get('delivery')).toBe('waiting');
      const found = await listReferences(link.replace('&delivery=waiting', ''));
      expect(found.toSorted()).toEqual([answered, closed].toSorted());
      expect(await findLink(link)).toBeUndefined();
    }
    expect(await findLink('/messages?state=closed')).toBeUndefined();
  });

  test('leaves out what is no filter, and begins anew where its page is gone', async () => {
    const query = 'state=%00&since=2026-99-99&delivery=toString&done=x&search=%00';
    expect((await desk.request(`/messages?${query}`)).status).toBe(200);
    const gone = await desk.request('/messages?state=new&before=AAAAA-AAAAA');
    expect(gone.headers.get('location')).toBe('/messages?state=new');
  });

  test('leads from message to message in its own order, also within a search', async () => {
    const service = randomUUID();
    const about = (hour: number, message = 'A pear') =>
      add({ service, message, received_at: `2026-02-01T0${hour}:00:00.000Z` });
    const [oldest, middle] = [await about(1), await about(3)];
    const [apple, newest] = [await about(4, 'An apple'), await about(5)];
    const path = `/messages/${middle}?state=new&service=${service}`;
    const neighbours = async (url: string) =>
      (await read<{ newerPath: string; olderPath: string }>(url)).props;
    expect((await neighbours(path)).newerPath).toContain(apple);
    expect(await neighbours(`${path}&search=pear`)).toMatchObject({
      newerPath: expect.stringContaining(newest),
      olderPath: expect.stringContaining(oldest),
    });
  });
});

describe('a message', () => {
  test('is replied to in the mail program, with a short quote and its reference', async () => {
    const message = `${'Line\r\n'.repeat(200)}${'\u{1f600}'.repeat(1000)}\u202e`;
    const reference = await add({ email: 'a?b&c@example.com', message });
    const { props } = await read<{ replyUrl: string }>(`/messages/${reference}`);
    const url = new URL(props.replyUrl);
    expect(decodeURIComponent(url.pathname)).toBe('a?b&c@example.com');
    expect(url.searchParams.get('subject')).toBe(`Re: your message ${reference}`);
    const quote = url.searchParams.get('body') ?? '';
    expect(quote.replaceAll(/\r\n> ?/g, '').length).toBeLessThanOrEqual(1500);
    expect(quote).toMatch(/^\r\n\r\n> Line\r\n> Line/);
    expect(quote.isWellFormed()).toBe(true);
  });

  test('has no reply without an address, and takes notes', async () => {
    const reference = await add({ email: 'call me' });
    expect((await read<{ replyUrl?: string }>(`/messages/${reference}`)).props.replyUrl).toBe(undefined);
    expect((await desk.post(`/messages/${reference}/notes`, { note: 'Called\nback' })).status).toBe(303);
    const { props } = await read<{ notes: object[] }>(`/messages/${reference}`);
    expect(props.notes).toMatchObject([{ text: 'Called\nback' }]);
    const empty = await desk.post(`/messages/${reference}/notes`, { note: ' ' });
    expect(empty.status).toBe(422);
    const long = await desk.post(`/messages/${reference}/notes`, { note: `${'y'.repeat(10_001)}<b>` });
    expect(long.status).toBe(422);
    expect(await long.text()).toContain('yyy&lt;b&gt;</textarea>');
    const { messages } = desk.services.domainDeps;
    const fail = async () => {
      const failed = await desk.post(`/messages/${reference}/notes`, { note: 'Called <back>' });
      return `${failed.status} ${await failed.text()}`;
    };
    using _writing = vi.spyOn(messages, 'addNote').mockRejectedValue(new Error('database or disk is full'));
    expect(await fail()).toMatch(
      /^500.*>Called &lt;back&gt;<\/textarea>.*Not saved: database or disk is full/s,
    );
    using _reading = vi.spyOn(messages, 'get').mockRejectedValue(new Error('no database'));
    expect(await fail()).toMatch(/^500.*no database.*What you typed.*>Called &lt;back&gt;<\/p>/s);
  });
});

test('a message from the free audit shows what its report found, or that it is erased', async () => {
  const found = fakeReport('bakery.example', new Date());
  const { results, ...report } = { ...found, caps: ['no-trusted-https'] };
  const [unknown, dmarc] = results;
  const row = { id: randomUUID(), domain: report.domain, measured_at: report.measuredAt };
  await desk.services.domainDeps.audits.add({
    ...row,
    report: JSON.stringify({ ...report, results: [unknown, { ...dmarc, check: 'mail-dmarc' }] }),
  });
  const { props } = await read<{ report: object }>(`/messages/${await add({ audit_report: row.id })}`);
  expect(props.report).toMatchObject({
    graded: 'Grade E, 50 of 100 points; No trusted HTTPS',
    open: [{ title: expect.stringMatching(/^[A-Z]/), status: 'Missing' }],
    passed: '1 of 2 checks passed',
  });
  const erased = await desk.request(`/messages/${await add({ audit_report: randomUUID() })}`);
  expect(await erased.text()).toContain('Erased: a report is kept for 30 days');
});

test('many are released by reason after a page that names their number, later ones are not', async () => {
  const quarantined = { state: 'quarantined', quarantine_reason: 'campaign, links' } as const;
  const references = [await add(quarantined), await add(quarantined)];
  const { props } = await read<{ count: number; upTo: string }>('/messages/release?reason=campaign');
  expect(props.count).toBe(2);
  const late = await add({ ...quarantined, received_at: new Date(Date.now() + 60_000).toISOString() });
  const fields = { reason: 'campaign', since: '', upTo: props.upTo };
  // A form that is sent twice is answered alike.
  for (const _ of ['once', 'twice'])
    expect((await submit('/messages/release', fields)).notice?.text).toContain('2 messages released.');
  expect(await Promise.all([...references, late].map(getState))).toEqual(['new', 'new', 'quarantined']);
  expect((await desk.request('/messages/release?reason=x')).status).toBe(422);
});

test('what is filtered is exported as CSV without formulas, and as JSON without keys', async () => {
  const service = `=${randomUUID()}`;
  const reference = await add({ service, message: '=1+1;\t=2+2', idempotency_key: randomUUID() });
  const query = `state=new&service=${encodeURIComponent(service)}`;
  const csv = await desk.request(`/messages/export.csv?${query}`);
  expect(csv.headers.get('content-disposition')).toMatch(/^attachment; filename="messages-new-[\d-]+\.csv"$/);
  const text = await csv.text();
  expect(text).toContain(reference);
  expect(findFormulas(text)).toEqual([]);
  const json = await desk.request(`/messages/export.json?${query}`);
  const rows = (await json.json()) as object[];
  expect(rows).toMatchObject([{ reference, notes: [] }]);
  expect(rows[0]).not.toHaveProperty('idempotency_key');
});

describe('deleting', () => {
  test('asks first, then deletes for good, once', async () => {
    const references = [await add({ name: 'Ann <b>' }), await add()];
    const query = new URLSearchParams([...references.map(one => ['reference', one]), ['list', 'state=all']]);
    const question = await (await desk.request(`/messages/delete?${query}`)).text();
    expect(question).toContain('Delete 2 messages?');
    expect(question).toContain('Ann &lt;b&gt;');
    expect(await getState(references[0] ?? '')).toBe('new');
    // On PostgreSQL a page of its own says what remains in the database's files.
    const send = () => desk.request('/messages/delete', { method: 'POST', body: query });
    for (const { status, headers } of [...(await Promise.all([send(), send()])), await send()]) {
      expect(status).toBe(303);
      const page = await (await desk.request(headers.get('location') ?? '')).text();
      expect(page).toMatch(/2 messages (are|deleted for good)/);
    }
    expect((await desk.request(`/messages/${references[0]}`)).status).toBe(404);
    expect((await desk.request(`/messages/delete?${query}`)).status).toBe(303);
  });

  test('names the copies that were sent elsewhere', async () => {
    const reference = await add({ receivers: ['webhook'] });
    await settleDue(desk.services, 'webhook', { state: 'delivered' });
    const { location } = await submit('/messages/delete', { reference });
    expect(location).toMatch(/^\/messages\/deleted\//);
    const html = await (await desk.request(location)).text();
    for (const text of ['delete the entries in the system behind the webhook', reference])
      expect(html).toContain(text);
  });
});

test('two desks at once show and change the same messages', async () => {
  const { dataDir, databaseUrl } = desk.services.config;
  const database = { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) };
  await using other = await startDesk(database);
  const reference = await add();
  const fields = { change: 'close', reference, from: 'message' };
  const answers = await Promise.all([desk, other].map(one => one.post('/messages/change', fields)));
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect(await getState(reference)).toBe('closed');
});
