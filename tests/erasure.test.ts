import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { auditApiPath, auditFields, auditPaths } from '../src/features/audit/contract.ts';
import { contactPath } from '../src/features/messages/contract.ts';
import { type MessageFields, messageFieldNames } from '../src/features/messages/message-fields.ts';
import { sign } from '../src/features/messages/receivers/webhook-receiver.ts';
import {
  bouncesPath,
  consentTextField,
  type NewsletterInput,
  newsletterPaths,
  signUpPath,
  tokenQuery,
  unsubscribeQuery,
} from '../src/features/newsletter/contract.ts';
import { formField, honeypotField, unsentField } from '../src/ui/contract.ts';
import { createHttpService, type HttpService } from './fakes/http-service.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { containsText, findInFiles, findInTables } from './harness/find-text.ts';
import { type Copy, copyProject, type StartedProcess } from './harness/process.ts';
import { json as postJson } from './harness/requests.ts';
import { collectLog, testConfig, wireSite } from './harness/site.ts';
import { findLink } from './harness/subscriber-mail.ts';

/** What must not be left of a person. It is all that their own words share with their address. */
const marker = 'qz7marker';
const person = `${marker}@example.org`;
const written = 'Qz7Marker@Example.org';
const encoded = encodeURIComponent(person);
const other = 'other@example.com';

const bounceSecret = Buffer.from('a secret of thirty-two letters..');

type Route = { method: string; path: string };
type Probe = Route & { headers: Record<string, string>; body: string; isTaken?: boolean };

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

function typed(type: string, body: string, isTaken = false): Omit<Probe, keyof Route> {
  return { headers: { 'content-type': type }, body, isTaken };
}
const asJson = (value: unknown) => typed(json, JSON.stringify(value), true);
const asForm = (fields: Record<string, string>) => typed(form, String(new URLSearchParams(fields)), true);
const everyField = (words: string) =>
  Object.fromEntries(messageFieldNames.map(name => [name, words])) as MessageFields;

/** Their own words hold the marker alone; what others write holds the address, by which alone it is known as theirs. */
const own: MessageFields = { ...everyField(`says ${marker}`), email: written };
const mention: MessageFields = { ...everyField(`ask ${person}, please`), email: other };
const signUp: Record<keyof NewsletterInput, string> = { email: person, form: person, wording: person };

/** What each endpoint takes in its body, signed now. One that is not named here fails the test. */
const writeBodies = (): Record<string, Omit<Probe, keyof Route>[]> => ({
  [contactPath]: [
    asJson({ ...own, [person]: person, [honeypotField]: person }),
    asJson({ ...everyField(`says ${marker}`), email: '', name: person }),
    asJson(mention),
    asForm({ ...own, [formField]: person, [honeypotField]: person, [person]: person }),
    asForm({ ...own, [unsentField]: JSON.stringify({ fields: own, key: `own:${person}` }) }),
    asForm({
      ...mention,
      [unsentField]: JSON.stringify({ fields: mention, key: `mention:${person}`, [person]: person }),
    }),
    typed(json, `{"email":"${person}`),
    typed(form, `email=%${person}`),
    asJson({ ...everyField(''), email: other, [honeypotField]: person }),
  ],
  [signUpPath]: [
    asJson({ ...signUp, [person]: person }),
    asForm({ ...signUp, email: written, [person]: person }),
    asJson({ ...signUp, email: other }),
    asForm({ email: other, [formField]: person, [consentTextField]: person }),
    typed(json, `{"email":"${person}`),
    typed(json, JSON.stringify({ ...signUp, email: `${person}/` })),
  ],
  [auditApiPath]: [
    asJson({ [auditFields.domain]: person, [person]: person }),
    typed(json, `{"domain":"${person}`),
  ],
  [auditPaths.page]: [asForm({ [auditFields.domain]: `https://${person}/?${person}`, [person]: person })],
  [`${auditPaths.report}/:token`]: [typed(form, `action=delete&${encoded}=${encoded}`)],
  [newsletterPaths.confirm]: [typed(form, `${encoded}=${encoded}`)],
  [newsletterPaths.unsubscribe]: [typed(form, `List-Unsubscribe=One-Click&${encoded}=${encoded}`)],
  [bouncesPath]: [
    signed({ type: 'bounce', address: person, [person]: person }),
    signed([{ type: 'email.complained', data: { to: [person], bounce: { message: person } } }]),
    signed({ type: person, address: person }),
    typed(json, JSON.stringify({ type: 'bounce', address: person })),
  ],
});

function signed(value: unknown) {
  const body = JSON.stringify(value);
  const headers = { 'content-type': json, ...sign([bounceSecret], person, new Date(), body) };
  return { headers, body, isTaken: true };
}

const query = [person, tokenQuery, ...Object.values(unsubscribeQuery)]
  .map(name => `${encodeURIComponent(name)}=${encoded}`)
  .join('&');

/** Every route with the address in its query, in each body it takes and in what browsers send; and a path that is none. */
function listProbes(routes: readonly Route[]): Probe[] {
  const marked = { 'user-agent': person, referer: `https://${person}/${person}`, cookie: `a=${person}` };
  const bodies = writeBodies();
  const ofRoutes = routes.flatMap(({ method, path }) => {
    const sent = method === 'POST' ? bodies[path] : [{ headers: {}, body: '' }];
    if (!sent) throw new Error(`What does ${method} ${path} take? Name it in ${import.meta.filename}`);
    return sent.map(one => ({
      ...one,
      method,
      path: `${path}?${query}`,
      headers: { ...marked, ...one.headers },
    }));
  });
  return [...ofRoutes, { method: 'GET', path: `/${person}?${query}`, headers: marked, body: '' }];
}

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

describe.each(databaseUnderTest)('an address in every input of the site, on $name', ({ name, create }) => {
  let database: TestDatabase;
  /** A process of its own: to read the file of a database drops the locks that this process holds on it. */
  let server: StartedProcess;
  let copy: Copy;
  let copiedAt: number;
  let hook: HttpService;
  let origin: string;
  let routes: Route[];
  let env: Record<string, string>;
  /** For temporary files of the server and the commands, and for backups. */
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-erasure-'));

  beforeAll(async () => {
    database = await create();
    // It repeats what it was sent, as a service may that refuses it.
    hook = await createHttpService(({ body }) => ({ status: 500, body }));
    env = {
      ...{ ...database.env, TMPDIR: folder, RATE_LIMIT: 'on', LOG_LEVEL: 'debug', MAIL_RATE: '100' },
      ...{ WEBHOOK_URL: hook.url, WEBHOOK_STYLE: 'slack', WEBHOOK_RATE: '100' },
      // No resolver is there: an audit connects to nothing.
      AUDIT_DNS: '127.0.0.1:9',
      NEWSLETTER_WEBHOOK_SECRET: `whsec_${bounceSecret.toString('base64')}`,
    };
    await quarantineEarlier();
    copy = copyProject();
    copiedAt = Date.now();
    server = copy.start(env);
    origin = await server.address();
  });
  afterAll(async () => {
    await copy[Symbol.asyncDispose]();
    await hook[Symbol.asyncDispose]();
    await database.remove();
    rmSync(folder, { recursive: true });
  });

  /** A digest names what was quarantined a minute ago. Reads the routes as well. */
  async function quarantineEarlier(): Promise<void> {
    const clock = { now: () => new Date(Date.now() - 120_000) };
    await using site = await wireSite(testConfig(env), { ...collectLog(), clock });
    const { routes: all } = site.app as unknown as Hono;
    routes = all.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ method, path }));
    const spam = `${marker} https://spam.example/`;
    const words = { name: person, email: person, message: spam, service: spam, [honeypotField]: spam };
    expect((await site.app.fetch(postJson(words))).status).toBe(200);
    expect(await database.query('select state from messages')).toEqual([{ state: 'quarantined' }]);
  }

  async function send(probes: Probe[]): Promise<void> {
    for (const { method, path, headers, body, isTaken } of probes) {
      const sent = { method, headers, redirect: 'manual', ...(method === 'POST' && { body }) } as const;
      const { status, headers: answered } = await fetch(`${origin}${path}`, sent);
      const isDone =
        [200, 204].includes(status) || /(#sent|#empty|\/asked)$/.test(`${answered.get('location')}`);
      if (isTaken) expect([isDone, path, body, status]).toEqual([true, path, body, status]);
    }
  }

  const mails = () => {
    const names = readdirSync(join(database.dataDir, 'mail')).filter(file => file.endsWith('.eml'));
    return names.map(file => readFileSync(join(database.dataDir, 'mail', file), 'utf8'));
  };
  const mailsTo = () => mails().filter(mail => mail.includes(`\r\nTo: ${person}\r\n`));
  const until = (look: () => unknown) => vi.waitFor(look, { timeout: 60_000, interval: 100 });
  const settled = () =>
    until(async () => {
      const waiting = "state in ('waiting', 'sending') and (receiver <> 'webhook' or attempts = 0)";
      expect(await database.query(`select receiver from deliveries where ${waiting}`)).toEqual([]);
    });

  /** Through the newsletter, with a subscriber mail of each kind. */
  async function subscribe(probes: Probe[]): Promise<void> {
    await send(probes.filter(({ path }) => path.startsWith(`${signUpPath}?`)));
    await until(() => expect(mailsTo()).toHaveLength(1));
    const link = findLink((mailsTo()[0] ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '='), 'confirm');
    await send([{ method: 'POST', path: `${link}&${person}=${person}`, headers: {}, body: '' }]);
    const issue = join(folder, '2026-02.md');
    writeFileSync(issue, '---\nsubject: Three things\npreview: In short\n---\n\nWhat is new.\n');
    const result = await runCommand('src/apps/cli/newsletter.ts', ['send', issue, '--yes', '--no-wait'], env);
    expect(result.code, result.err).toBe(0);
    await until(() => expect(mailsTo()).toHaveLength(2));
  }

  /** Where the marker stands, in names without what changes from run to run. */
  async function findAll(): Promise<{ tables: string[]; files: string[] }> {
    const backup = join(folder, 'site.backup');
    const result = await runCommand('src/apps/cli/backup.ts', [backup, '--force'], env);
    expect(result.code, result.err).toBe(0);
    const files = [
      ...[database.dataDir, folder].flatMap(place => findInFiles(place, marker)),
      ...findInFiles(copy.folder, marker, copiedAt),
    ];
    rmSync(backup);
    const short = (file: string) => (file.endsWith('.eml') ? 'mail' : basename(file));
    return { tables: await findInTables(database, marker), files: [...new Set(files.map(short))].sort() };
  }

  test('is in no file or table after the person is erased', async () => {
    const probes = listProbes(routes);
    expect(routes.map(({ path }) => path)).toContain(contactPath);
    await subscribe(probes);
    await send(probes.filter(({ path }) => !path.startsWith(`${signUpPath}?`)));
    await settled();
    expect((await runCommand('src/apps/cli/inbox.ts', ['list', '--search', marker], env)).out).toContain(
      marker,
    );
    if (name === 'PostgreSQL') await database.query('analyze');

    const before = await findAll();
    const planner = name === 'PostgreSQL' ? ['pg_catalog.pg_stats'] : [];
    expect(before.tables).toEqual(expect.arrayContaining(['messages', 'subscribers', ...planner]));
    const live = name === 'SQLite' ? ['wardhouse.sqlite-wal'] : [];
    expect(before.files).toEqual(expect.arrayContaining(['site.backup', 'mail', 'messages.csv', ...live]));
    expect(hook.requests.some(({ body }) => body.includes(marker))).toBe(true);

    const { code, err } = await runCommand('src/apps/cli/privacy.ts', ['erase', person, '--yes'], env);
    expect([code, err]).toEqual([0, expect.not.stringContaining(marker)]);
    if (name === 'PostgreSQL') expect(err).toMatch(/VACUUM.*write-ahead log/s);
    expect(await findAll()).toEqual({ tables: [], files: [] });

    server.child.kill('SIGTERM');
    await server.ended;
    expect(await findAll()).toEqual({ tables: [], files: [] });
    expect(server.output()).toContain('"event":"request"');
    const logged = server.output().split('\n');
    expect(logged.filter(line => containsText(Buffer.from(line), marker))).toEqual([]);
  });
});
