import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contactPath, honeypotField, newsletterPath } from '../src/api/contract.ts';
import { wire } from '../src/server/wire.ts';
import { createHttpService, type HttpService } from './fakes/http-service.ts';
import { runCommand } from './harness/command.ts';
import { databaseUnderTest, type TestDatabase } from './harness/databases.ts';
import { findInFiles, findInTables, holdsText } from './harness/find-text.ts';
import { linkIn } from './harness/letters.ts';
import {
  bounceSecret,
  listProbes,
  marker,
  type Probe,
  person,
  type Route,
  writeProbe,
} from './harness/plant-address.ts';
import { type Copy, copyProject, type StartedProcess } from './harness/process.ts';
import { sendRaw } from './harness/raw.ts';
import { json } from './harness/requests.ts';
import { collectLog, testConfig } from './harness/site.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

describe.each(databaseUnderTest)(
  'an address in everything that the site takes, on $name',
  ({ name, create }) => {
    let database: TestDatabase;
    let copy: Copy;
    let server: StartedProcess;
    let hook: HttpService;
    let port: number;
    let routes: Route[];
    let env: Record<string, string>;
    /** For temporary files of the server and the commands, and for backups. */
    const folder = mkdtempSync(join(tmpdir(), 'wardhouse-erasure-'));

    beforeAll(async () => {
      database = await create();
      // It repeats what it was sent, as a service may that refuses it.
      hook = await createHttpService(({ body }) => ({ status: 500, body }));
      env = {
        ...database.env,
        TMPDIR: folder,
        WEBHOOK_URL: hook.url,
        WEBHOOK_STYLE: 'slack',
        WEBHOOK_RATE: '100',
        MAIL_RATE: '100',
        NEWSLETTER_WEBHOOK_SECRET: `whsec_${bounceSecret.toString('base64')}`,
        RATE_LIMIT: 'on',
        LOG_LEVEL: 'debug',
      };
      await quarantineEarlier();
      copy = copyProject();
      server = copy.start(env);
      port = Number(new URL(await server.address()).port);
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
      await using site = await wire(testConfig(env), { ...collectLog(), clock });
      const { routes: all } = site.app as unknown as Hono;
      routes = all.filter(({ method }) => method !== 'ALL').map(({ method, path }) => ({ method, path }));
      const spam = `${marker} https://spam.example/`;
      const words = { name: person, email: person, message: spam, service: spam, [honeypotField]: spam };
      expect((await site.app.fetch(json(words))).status).toBe(200);
      expect(await database.query('select state from messages')).toEqual([{ state: 'quarantined' }]);
    }

    async function send(probes: Probe[]): Promise<void> {
      for (const probe of probes) {
        const { statuses, text } = await sendRaw(port, writeProbe(probe), 1);
        const isTaken = /^HTTP\/1\.1 20[04]|^location: \S*(#sent|\/asked)\r$/im.test(text);
        if (probe.isTaken) expect([isTaken, probe, statuses]).toEqual([true, probe, statuses]);
      }
    }

    const mails = () => {
      const names = readdirSync(join(database.dataDir, 'mail')).filter(file => file.endsWith('.eml'));
      return names.map(file => readFileSync(join(database.dataDir, 'mail', file), 'utf8'));
    };
    const lettersTo = () => mails().filter(mail => mail.includes(`\r\nTo: ${person}\r\n`));
    const until = (look: () => unknown) => vi.waitFor(look, { timeout: 60_000, interval: 100 });
    const settled = () =>
      until(async () => {
        const waiting = "state in ('waiting', 'sending') and (receiver <> 'webhook' or attempts = 0)";
        expect(await database.query(`select receiver from deliveries where ${waiting}`)).toEqual([]);
      });

    /** By way of the newsletter, with a letter of each kind. */
    async function subscribe(probes: Probe[]): Promise<void> {
      await send(probes.filter(({ path }) => path.startsWith(`${newsletterPath}?`)));
      await until(() => expect(lettersTo()).toHaveLength(1));
      const link = linkIn((lettersTo()[0] ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '='), 'confirm');
      await send([{ method: 'POST', path: `${link}&${person}=${person}`, headers: {}, body: '' }]);
      const issue = join(folder, '2026-02.md');
      writeFileSync(issue, '---\nsubject: Three things\npreview: In short\n---\n\nWhat is new.\n');
      const said = await runCommand('src/cli/newsletter.ts', ['send', issue, '--yes', '--no-wait'], env);
      expect(said.code, said.err).toBe(0);
      await until(() => expect(lettersTo()).toHaveLength(2));
    }

    /** Where the marker stands, in names without what changes from run to run. */
    async function findAll(): Promise<{ tables: string[]; files: string[] }> {
      const backup = join(folder, 'site.backup');
      const said = await runCommand('src/cli/backup.ts', [backup, '--force'], env);
      expect(said.code, said.err).toBe(0);
      const files = [database.dataDir, folder, copy.folder].flatMap(place => findInFiles(place, marker));
      rmSync(backup);
      const short = (file: string) => (file.endsWith('.eml') ? 'mail' : basename(file));
      return { tables: await findInTables(database, marker), files: [...new Set(files.map(short))].sort() };
    }

    test('is nowhere once that person is erased', async () => {
      const probes = listProbes(routes);
      expect(routes.map(({ path }) => path)).toContain(contactPath);
      await subscribe(probes);
      await send(probes.filter(({ path }) => !path.startsWith(`${newsletterPath}?`)));
      await settled();
      if (name === 'PostgreSQL') await database.query('analyze');

      const before = await findAll();
      const planner = name === 'PostgreSQL' ? ['pg_catalog.pg_stats'] : [];
      expect(before.tables).toEqual(expect.arrayContaining(['messages', 'subscribers', ...planner]));
      const live = name === 'SQLite' ? ['wardhouse.sqlite-wal'] : [];
      expect(before.files).toEqual(expect.arrayContaining(['site.backup', 'mail', 'messages.csv', ...live]));
      expect(hook.requests.some(({ body }) => body.includes(marker))).toBe(true);

      const { code, err } = await runCommand('src/cli/privacy.ts', ['erase', person, '--yes'], env);
      expect([code, err]).toEqual([0, expect.not.stringContaining(marker)]);
      if (name === 'PostgreSQL') expect(err).toMatch(/VACUUM.*write-ahead log/s);
      expect(await findAll()).toEqual({ tables: [], files: [] });

      server.child.kill('SIGTERM');
      await server.ended;
      expect(await findAll()).toEqual({ tables: [], files: [] });
      expect(server.output()).toContain('"event":"request"');
      const lines = server.output().split('\n');
      expect(lines.filter(line => holdsText(Buffer.from(line), marker))).toEqual([]);
    });
  },
);
