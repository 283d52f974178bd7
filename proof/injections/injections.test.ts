import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { domainToASCII } from 'node:url';
import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { performAction } from '../../src/apps/cli/run-actions.ts';
import { copyDatabase, openTarget } from '../../src/apps/server/restore-database.ts';
import type { Action, InputSchema } from '../../src/core/action.ts';
import { systemClock } from '../../src/core/clock.ts';
import type { MessageRow } from '../../src/core/database/tables.ts';
import { createLog, errorFields } from '../../src/core/log.ts';
import { exportMessages, list } from '../../src/features/messages/actions/read-messages.ts';
import { show } from '../../src/features/messages/actions/show-message.ts';
import { type MessageFields, messageFieldNames } from '../../src/features/messages/message-fields.ts';
import { exportList, list as listReaders } from '../../src/features/newsletter/actions/subscribers.ts';
import { exportData, find } from '../../src/features/privacy/actions/find-person.ts';
import { createHttpService, type HttpService } from '../../tests/fakes/http-service.ts';
import { createSheetService, type SheetService } from '../../tests/fakes/sheet-service.ts';
import { createSmtpServer, type FakeSmtpServer, type ReceivedMail } from '../../tests/fakes/smtp-server.ts';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import {
  findControlCharacters,
  findFormulas,
  findMarkdown,
  findSlackMarkup,
  findUnquotedText,
  isFormulaCell,
  withoutIsolates,
} from '../../tests/harness/injection-checks.ts';
import {
  collectLog,
  startSite,
  type TestSite,
  testConfig,
  wireSite,
  withTrustedClock,
} from '../../tests/harness/site.ts';
import { findForgedLogLines, parseMail, withoutApostrophes } from './checks.ts';
import { injections } from './corpus.ts';
import { author, breakLines, createSender } from './send-injections.ts';

const texts = injections.map(({ text }) => text);
const office = 'office@example.com';
/** As many as a digest tells of. */
const quarantinedShare = 100;
/** A message has three fields for whatever one likes. */
const share = Math.ceil(texts.length / 3);

type RunningSite = { site: TestSite; sender: ReturnType<typeof createSender> };

const services = new AsyncDisposableStack();
let smtp: FakeSmtpServer;
let newsletterSmtp: FakeSmtpServer;
let sheet: SheetService;
let hook: HttpService;
let slack: HttpService;
let teams: HttpService;
/** With a file for a sheet, a mail server and a program; on PostgreSQL, with a service, files of mail and a chat. */
let [first, second] = [] as unknown as [RunningSite, RunningSite];
/** With another chat, and the newsletter; and two without notifications. */
let [third, fourth, fifth] = [] as unknown as [RunningSite, RunningSite, RunningSite];
/** The kinds of responses to harmless text. */
let harmless: Set<string>;

beforeAll(async () => {
  const database = (await databases[1]?.create()) as TestDatabase;
  services.defer(() => database.remove());
  smtp = services.use(await createSmtpServer());
  newsletterSmtp = services.use(await createSmtpServer());
  sheet = services.use(await createSheetService());
  [hook, slack, teams] = [await startHook(), await startHook(), await startHook()];
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const mail = { NOTIFY_EMAIL: office, MAIL_RATE: '1000', SITE_URL: 'http://127.0.0.1' };
  const chat = { WEBHOOK_RATE: '100' };
  first = await start({
    ...{ ...mail, SMTP_URL: smtp.url },
    ...{ ...chat, WEBHOOK_URL: hook.url, WEBHOOK_SECRET: secret },
  });
  second = await start({
    ...{ ...mail, ...database.env, SHEET_URL: sheet.url, SHEET_RATE: '1000' },
    ...{ ...chat, WEBHOOK_URL: slack.url, WEBHOOK_STYLE: 'slack' },
  });
  third = await start({
    ...{ ...mail, SMTP_URL: newsletterSmtp.url },
    ...{ ...chat, WEBHOOK_URL: teams.url, WEBHOOK_STYLE: 'teams' },
  });
  fourth = await start({ SITE_URL: 'http://127.0.0.1' });
  fifth = await start({});
  harmless = await answersTo(['hello', 'hello@example.com', '__proto__', '.', 'ü']);

  const busy = [first, second, third];
  for (const { site } of busy) await site.worker.start();
  await together(texts, async (text, index) => {
    if (index < share) {
      const [service = '', message = ''] = [texts[index + share], texts[index + 2 * share]];
      await third.sender.asFields(text, service, message);
    }
    const rest = [1, 2, 3].map(step => texts[index + step * quarantinedShare] ?? '').join(' ');
    if (index < quarantinedShare) await fifth.sender.asTrap(text, rest);
    const sendings = [first.sender.asForm, second.sender.asMessage, third.sender.asEmail];
    await Promise.all([...sendings.map(send => send(text)), sendTheRest(fourth, text)]);
  });
  for (const { site } of busy) {
    const left = () => site.store.outbox.count({ states: ['waiting', 'sending'] });
    await vi.waitUntil(async () => (await left()) === 0, { timeout: 60_000, interval: 250 });
  }
}, 120_000);
afterAll(() => services.disposeAsync());

test('there is enough of it', () => {
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThanOrEqual(150);
});

test('all of it is stored as it was sent, in both databases', async () => {
  for (const { site, sender } of [first, second, third, fourth]) {
    const rows = new Map((await rowsOf(site)).map(row => [row.reference, row]));
    for (const [reference, fields] of sender.answers.sent) expect(rows.get(reference)).toMatchObject(fields);
  }
  const rows = await rowsOf(first.site);
  expect(rows.map(({ message }) => message).sort()).toEqual(texts.map(breakLines).sort());
  for (const { name, service, message } of rows) expect([breakLines(name), service]).toEqual([message, name]);
  expect(await rowsOf(second.site)).toHaveLength(texts.length);
});

test('none of it comes back in an answer, whichever part of a request it stood in', () => {
  for (const { sender } of [first, second, third, fourth, fifth]) {
    expect(sender.answers.kinds.size).toBeGreaterThan(0);
    expect([...sender.answers.kinds.difference(harmless)]).toEqual([]);
  }
});

describe('what looks for it', () => {
  test('sees a formula at the beginning of a cell, or of what a cell is torn into', () => {
    const files = ['"a","=1"', '"a","\u00a0+1"', '"a","x;-1"', '"a","x;""@A1"', '"a","x\n =1"', '"a","\tx"'];
    expect(files.filter(file => findFormulas(`${file}\r\n`).length === 0)).toEqual([]);
    expect(findFormulas('"a","\'=1"\r\n"a","x;\'=1"\r\n"a","1=1, -1"\r\n')).toEqual([]);
    expect(isFormulaCell('＝1')).toBe(true);
  });

  test('sees control characters, and forged log lines', () => {
    expect(
      ['\x1b[2J', 'a\u202e', 'a\u2028b', '\u009b2J', '\r', '\u2066'].flatMap(findControlCharacters),
    ).toHaveLength(6);
    const good = '{"time":"","level":"","event":""}\n';
    expect(findForgedLogLines([good])).toEqual([]);
    const bad = ['x\n', '{"event":"x"}\n', good.trim(), good + good, good.replace('""', '"\u202e"')];
    expect(findForgedLogLines(bad)).toEqual(bad);
  });

  test('sees a header, a recipient, a part or a line that a visitor added to a mail', async () => {
    const head = ['From: a@example.com', 'To: b@example.com', 'Content-Type: text/plain; charset=utf-8'];
    const write = (lines: string[], body = 'x') => parseMail(`${lines.join('\r\n')}\r\n\r\n${body}\r\n`);
    expect(await write(head)).toMatchObject({ others: [], isPlain: true, wire: [], names: { length: 3 } });
    expect(await write([...head, 'Bcc: c@example.com'])).toMatchObject({
      others: { length: 1 },
      names: { length: 4 },
    });
    expect(await write([`${head[0]}\nCc: c@example.com`, ...head.slice(1)])).toMatchObject({ wire: ['\n'] });
    expect((await write(head.with(2, 'Content-Type: text/html'), '<b>x</b>')).isPlain).toBe(false);
    expect((await write(head, 'x'.repeat(999))).wire).toHaveLength(1);
    const text = 'Name: a\nEmail: b\nService: c\nReceived: d\nReference: e\n\n| x';
    expect(findUnquotedText(text)).toEqual([]);
    const forged = [`${text}\nReference: f`, text.replace('a', 'a\nb'), `${text}\u202e`];
    expect(forged.filter(one => findUnquotedText(one).length === 0)).toEqual([]);
  });

  test('sees a mention or markup in a chat', () => {
    expect(findSlackMarkup('Title\n| a@example.com &lt;')).toEqual([]);
    const calls = ['<!channel>', '&x', '(@here', 'x\nTitle'].map(
      text => findSlackMarkup(`Title\n| ${text}`).length > 0,
    );
    expect(calls).toEqual([true, true, true, true]);
    expect(findMarkdown(['\\| a \\[x\\]', 'a', '*b*', '- c', '1. d', '[e](f)', '<at>'])).toHaveLength(5);
  });

  test('sees a response that reflects the request', async () => {
    await using mirror = await createHttpService(({ url }) => ({ status: 200, body: url.href }));
    const [plain, hostile] = [createSender(mirror.origin), createSender(mirror.origin)];
    await plain.asAddress('hello');
    await hostile.asAddress('<script>');
    expect(hostile.answers.kinds.difference(plain.answers.kinds).size).toBeGreaterThan(0);
  });
});

describe('a sheet', () => {
  test('calculates nothing, and shows what was written', async () => {
    for (const { site } of [first, third]) {
      const file = readFileSync(join(site.config.dataDir, 'messages.csv'), 'utf8');
      expect(findFormulas(file)).toEqual([]);
      expectRows(parse(file, { bom: true, columns: true }), await rowsOf(site));
    }
    expect(sheet.rows.flatMap(row => Object.values(row)).filter(isFormulaCell)).toEqual([]);
    expectRows(sheet.rows, await rowsOf(second.site));
  });

  test('that the owner exports does the same; as JSON it is to the letter', async () => {
    const { site } = first;
    const rows = await rowsOf(site);
    const [csv, exact] = [join(site.config.dataDir, 'out.csv'), join(site.config.dataDir, 'out.json')];
    await perform(exportMessages, site, { file: csv, csv: true });
    await perform(exportMessages, site, { file: exact, json: true });
    const file = readFileSync(csv, 'utf8');
    expect(findFormulas(file)).toEqual([]);
    expectRows(parse(file, { bom: true, columns: true }), rows);
    const written: MessageRow[] = JSON.parse(readFileSync(exact, 'utf8'));
    expect(sorted(written.map(row => fieldsOf(row)))).toEqual(sorted(rows.map(row => fieldsOf(row))));
  });

  test('of subscribers does the same', async () => {
    const file = await perform(exportList, third.site, { csv: true });
    expect(findFormulas(file)).toEqual([]);
    expect(parse(file, { bom: true }).length).toBeGreaterThan(20);
  });

  /** Save for the apostrophes of the guard. */
  function expectRows(written: Record<string, string>[], rows: MessageRow[]): void {
    const sent = new Map(rows.map(row => [row.reference, row]));
    for (const row of written) {
      const { reference, ...fields } = sent.get(row.Reference ?? '') as MessageRow;
      for (const name of messageFieldNames) {
        const cell = row[name.charAt(0).toUpperCase() + name.slice(1)] ?? '';
        expect(withoutApostrophes(cell)).toBe(withoutApostrophes(fields[name]));
      }
    }
    expect(written.length).toBeGreaterThan(texts.length / 2);
  }
});

describe('a mail', () => {
  const always = [
    ...['Auto-Submitted', 'Content-Transfer-Encoding', 'Content-Type', 'Date', 'From', 'MIME-Version'],
    ...['Message-ID', 'Subject', 'To'],
  ];

  test('to the owner has our headers, one recipient, and plain text that cannot pass for ours', async () => {
    const folder = join(second.site.config.dataDir, 'mail');
    const files = readdirSync(folder).map(name => readFileSync(join(folder, name), 'latin1'));
    const raws = [...toOffice(smtp), ...toOffice(newsletterSmtp)].map(({ raw }) => raw);
    expect(files).toHaveLength(texts.length);
    const rows = new Map(
      (await Promise.all([first, second, third].map(({ site }) => rowsOf(site))))
        .flat()
        .map(row => [row.reference, row]),
    );
    for (const raw of [...files, ...raws]) {
      const { text, replyTo, ...mail } = await parseMail(raw);
      const [, sender, reference = ''] =
        /^(?:Message from (.+) \((?=\S+\)$)|Website message )([0-9A-Z]{5}-[0-9A-Z]{5})\)?$/.exec(
          mail.subject ?? '',
        ) ?? [];
      const row = rows.get(reference) as MessageRow;
      expect([undefined, row.name.trim(), asciiOf(row.email)]).toContain(
        sender?.replaceAll(/[\u2068\u2069]/g, ''),
      );
      const names = [...always, ...(replyTo ? ['Reply-To'] : [])].sort();
      expect(mail).toEqual({
        ...{ names, parsedNames: names.map(name => name.toLowerCase()).sort() },
        ...{ from: mail.from, to: [office], others: [], subject: mail.subject, isPlain: true, wire: [] },
      });
      expect(findUnquotedText(text), row.reference).toEqual([]);
      for (const { name, address = '' } of replyTo ?? []) {
        expect(address.replace(/^"(.*)"@/, '$1@')).toBe(asciiOf(row.email));
        expect(['', row.name.trim()]).toContain(name);
      }
      expect(replyTo?.length ?? 1).toBe(1);
    }
  });

  test('goes to no other recipient, and adds no SMTP command', () => {
    const verbs = [...smtp.commands, ...newsletterSmtp.commands].map(line => line.split(' ')[0]);
    expect([...new Set(verbs)].sort()).toEqual(['DATA', 'EHLO', 'MAIL', 'QUIT', 'RCPT']);
    expect(new Set(smtp.mails.flatMap(({ to }) => to))).toEqual(new Set([office]));
    expect(smtp.mails).toHaveLength(texts.length);
    expect(new Set(smtp.mails.map(({ from }) => from)).size).toBe(1);
  });

  test('that asks a subscriber to confirm holds nothing of it, and goes to the address alone', async () => {
    const readers = newsletterSmtp.mails.filter(({ to }) => to[0] !== office);
    const asked = await third.site.store.subscribers.list({}, 1000);
    expect(readers.map(({ to }) => to.join()).sort()).toEqual(asked.map(({ address }) => address).sort());
    expect(readers.length).toBeGreaterThan(20);
    const seen = await Promise.all(readers.map(({ raw }) => parseMail(raw)));
    const kinds = seen.map(({ to, text, ...mail }) =>
      JSON.stringify({ ...mail, text: text.replaceAll(/token=[\w-]+/g, 'token=') }),
    );
    expect(new Set(kinds).size).toBe(1);
    expect(seen.map(({ to }) => to)).toEqual(readers.map(({ to }) => to));
    expect(findNotified(asked.map(({ address: _, ...row }) => JSON.stringify(row)))).toEqual([]);
  });

  function toOffice({ mails }: FakeSmtpServer): ReceivedMail[] {
    return mails.filter(({ to }) => to[0] === office);
  }

  function asciiOf(email: string): string {
    const [local, host = ''] = email.trim().split('@');
    return `${local}@${domainToASCII(host)}`;
  }
});

describe('a webhook', () => {
  test('for a program carries it to the letter', async () => {
    const rows = new Map((await rowsOf(first.site)).map(row => [row.reference, row]));
    for (const { body } of hook.requests) {
      const { reference, ...fields } = JSON.parse(body).data;
      expect(fieldsOf(fields)).toBe(fieldsOf(rows.get(reference) as MessageRow));
    }
    expect(hook.requests).toHaveLength(texts.length);
  });

  test('for Slack has no mention, no link and no bidi override', () => {
    const said: string[] = slack.requests.map(({ body }) => JSON.parse(body).text);
    expect(said).toHaveLength(texts.length);
    expect(said.flatMap(findSlackMarkup)).toEqual([]);
    expect(said.flatMap(text => findControlCharacters(withoutIsolates(text)))).toEqual([]);
  });

  test('for Teams shows every sign of its own', () => {
    const blocks: string[] = teams.requests.flatMap(({ body }) =>
      JSON.parse(body).attachments[0].content.body.map(({ text }: { text: string }) => text),
    );
    expect(findMarkdown(blocks)).toEqual([]);
    expect(blocks.flatMap(text => findControlCharacters(withoutIsolates(text)))).toEqual([]);
    expect(teams.requests.length).toBeGreaterThan(share);
  });
});

describe('the log', () => {
  test('is one object a line, and holds nothing of it', () => {
    const lines = [first, second, third, fourth].flatMap(({ site }) => site.lines);
    expect(findForgedLogLines(lines)).toEqual([]);
    const values = new Set<string>();
    const paths = new Set<string>();
    for (const line of lines) {
      const { path, ...rest } = JSON.parse(line);
      for (const value of Object.values(rest)) values.add(String(value));
      if (path !== undefined) paths.add(path);
    }
    expect([...paths].filter(path => !/^[!-~]*$/.test(path))).toEqual([]);
    expect(findNotified([...values])).toEqual([]);
  });

  test('cannot be forged by the text of an error, nor contain control characters', () => {
    const lines: string[] = [];
    for (const style of ['json', 'readable'] as const) {
      const log = createLog({ clock: systemClock, level: 'debug', style, write: line => lines.push(line) });
      for (const text of texts) log.error('failed', { ...errorFields(new Error(text)), reason: text });
    }
    expect(findForgedLogLines(lines.slice(0, texts.length))).toEqual([]);
    const readable = lines.slice(texts.length).join('');
    expect(findControlCharacters(readable)).toEqual([]);
    expect(
      readable
        .trimEnd()
        .split('\n')
        .filter(line => !/^(\d\d:\d\d:\d\d error failed | {4})/.test(line)),
    ).toEqual([]);
  });
});

describe("the owner's terminal", () => {
  test('gets no control character from a list, and each message is one line', async () => {
    const rows = await rowsOf(first.site);
    for (const isTerminal of [true, false]) {
      const listed = await perform(list, first.site, all, { isTerminal });
      expect(findControlCharacters(listed)).toEqual([]);
      expect(listed.trimEnd().split('\n')).toHaveLength(rows.length + 1);
    }
    const exact = await perform(list, first.site, all, { isTerminal: true, json: true });
    expect(findControlCharacters(exact)).toEqual([]);
    expect(sorted(JSON.parse(exact).messages.map(fieldsOf))).toEqual(sorted(rows.map(fieldsOf)));
    const readers = await perform(listReaders, third.site, all, { isTerminal: true });
    expect(findControlCharacters(readers)).toEqual([]);
  });

  test('gets no control character from a message, and none of its lines looks like ours', async () => {
    for (const { reference } of await rowsOf(first.site)) {
      const shown = await perform(show, first.site, { reference }, { isTerminal: true });
      expect(findControlCharacters(shown)).toEqual([]);
      const lines = shown
        .split('\n')
        .filter(line => line && !/^( {11}│|\w+ +(│|\S)| {2,}\S|[\w-]+ +│)/.test(line));
      expect(lines).toEqual(['Deliveries']);
      expect(shown.match(/^(Reference|Received|State) /gm)).toHaveLength(3);
    }
  });

  test("shows and exports a person's data whole, and finds every copy", async () => {
    const { site } = first;
    const rows = await rowsOf(site);
    expect(
      findControlCharacters(await perform(find, site, { address: author }, { isTerminal: true })),
    ).toEqual([]);
    const found = JSON.parse(
      await perform(find, site, { address: author }, { isTerminal: true, json: true }),
    );
    expect(found.messages).toHaveLength(rows.length);
    const copies = found.copies.filter(({ kind }: { kind: string }) => kind === 'row');
    expect(copies).toHaveLength(texts.length);
    const file = join(site.config.dataDir, 'person.json');
    await perform(exportData, site, { address: author, file });
    const { messages } = JSON.parse(readFileSync(file, 'utf8'));
    expect(sorted(messages.map((one: MessageFields) => one.message))).toEqual(
      sorted(rows.map(({ message }) => message)),
    );
  });
});

test('the digest quotes it, and makes a link of none of it', async () => {
  const { log, lines } = collectLog();
  const tomorrow = { now: () => new Date(Date.now() + 24 * 60 * 60 * 1000) };
  await using late = await wireSite(fifth.site.config, { log, ...withTrustedClock(tomorrow) });
  await late.worker.start();
  const folder = join(fifth.site.config.dataDir, 'mail');
  const files = () => (existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.eml')) : []);
  await expect.poll(files).toHaveLength(1);
  const { text, ...mail } = await parseMail(readFileSync(join(folder, files()[0] ?? ''), 'latin1'));
  expect(mail).toMatchObject({ others: [], isPlain: true, wire: [] });
  expect(mail.to).toHaveLength(1);
  expect(mail.subject).toBe(`Website: ${quarantinedShare} messages in quarantine`);
  expect(findControlCharacters(text.replaceAll('\r', ''))).toEqual([]);
  expect(text).not.toMatch(/https?:\/\/|www\.\w/i);
  const ours =
    /^(These messages|[0-9A-Z]{5}-[0-9A-Z]{5} {2}\d{4}-\S+ {2}[a-z ,]+$| {2}From: | {2}> | {2}npm run inbox|And |To )/;
  expect(text.split(/\r?\n/).filter(line => line && !ours.test(line))).toEqual([]);
  expect(text.match(/^ {2}> /gm)).toHaveLength(quarantinedShare);
  expect(findForgedLogLines(lines)).toEqual([]);
});

test('a backup brings all of it back, into the other database, to the letter', async () => {
  const database = (await databases[1]?.create()) as TestDatabase;
  services.defer(() => database.remove());
  const config = testConfig(database.env);
  const file = join(config.dataDir, 'site.backup');
  writeFileSync(file, '');
  await first.site.store.backUp(file, new Date().toISOString());
  {
    await using target = await openTarget(config, false);
    await copyDatabase(config, file, target, false);
  }
  await using restored = await wireSite(config, collectLog());
  expect(await rowsOf(restored)).toEqual(await rowsOf(first.site));
});

async function startHook(): Promise<HttpService> {
  return services.use(await createHttpService(() => ({ status: 204 })));
}

async function start(env: Record<string, string>): Promise<RunningSite> {
  const site = services.use(await startSite(env));
  return { site, sender: createSender(site.origin) };
}

/** What the same requests are answered with where there is nothing to reflect. */
async function answersTo(plain: string[]): Promise<Set<string>> {
  const site = await start({ SITE_URL: 'http://127.0.0.1' });
  const { sender } = site;
  for (const text of plain) {
    for (const send of [sender.asMessage, sender.asForm, sender.asEmail]) await send(text);
    await sendTheRest(site, text);
  }
  return sender.answers.kinds;
}

async function sendTheRest({ sender }: RunningSite, text: string): Promise<void> {
  for (const send of [sender.asHeader, sender.asSignUp, sender.asAddress]) await send(text);
}

/** A few at a time, as visitors come. */
async function together<T>(items: readonly T[], work: (item: T, index: number) => Promise<unknown>) {
  const left = items.entries();
  const run = async () => {
    for (const [index, item] of left) await work(item, index);
  };
  await Promise.all(Array.from({ length: 12 }, run));
}

async function rowsOf({ store }: Pick<TestSite, 'store'>): Promise<MessageRow[]> {
  const rows: MessageRow[] = [];
  for await (const page of store.messages.each({}, 'oldest')) rows.push(...page);
  return rows;
}

/** Texts that stand in it; a word such as `then` occurs elsewhere, too. */
function findNotified(values: string[]): string[] {
  const all = values.join('\n');
  return texts.filter(text => !/^[\w-]{0,20}$/.test(text) && text.trim().length > 3 && all.includes(text));
}

function fieldsOf(fields: MessageFields): string {
  return JSON.stringify(messageFieldNames.map(name => fields[name]));
}

function sorted(list: string[]): string[] {
  return list.toSorted();
}

const all = { limit: '1000' };

/** What a command writes, to a terminal or to a program. */
async function perform<Input extends InputSchema, Result>(
  action: Action<Input, Result>,
  site: TestSite,
  given: object,
  { isTerminal = false, json = false } = {},
): Promise<string> {
  let text = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((part, ...rest) => {
    text += typeof part === 'string' ? part : Buffer.from(part).toString();
    const done = rest.find(one => typeof one === 'function');
    if (done) queueMicrotask(() => done());
    return true;
  });
  const errors = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const before = process.stdout.isTTY;
  process.stdout.isTTY = isTerminal;
  vi.stubEnv('FORCE_COLOR', '0');
  try {
    await performAction(action, site, v.parse(action.input, given), { json });
    return text;
  } finally {
    process.stdout.isTTY = before;
    vi.unstubAllEnvs();
    errors.mockRestore();
    write.mockRestore();
  }
}
