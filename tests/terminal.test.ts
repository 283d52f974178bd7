import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { wire } from '../src/server/wire.ts';
import { migrationNames } from '../src/store/migrate.ts';
import { runCommand, runProcess, type Said } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { findSteering } from './harness/inertness.ts';
import { collectLog, testConfig } from './harness/site.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Sets the title, colours, clears, turns the reading direction of a line, and ends it to forge one of ours. */
const hostile =
  'none/x\x1b]0;owned\x07\x1b[2J\u009b31m\u061c\u200e\u200f\u202e\u2066\u2028\r\nNothing was changed.\n\x7f';
/** Each with what it takes to get as far as its settings. */
const commands: Record<string, string[]> = {
  inbox: ['list'],
  newsletter: ['list'],
  privacy: ['find', 'zoe@example.com'],
  backup: ['none/x'],
  restore: ['none/x'],
  sbom: ['none/x'],
  schemas: [],
  'check-launch': [],
  'check-supply': [],
};

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-terminal-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await (databases[0] as (typeof databases)[number]).create();
  await (await wire(testConfig(database.env), collectLog()))[Symbol.asyncDispose]();
});
afterAll(async () => {
  await database.remove();
  rmSync(folder, { recursive: true });
});

function expectHarmless({ out, err }: Said): void {
  expect(findSteering(out + err)).toEqual([]);
  expect((out + err).split('\n')).not.toContain('Nothing was changed.');
}

test.each(Object.keys(commands))('npm run %s shows a hostile argument, verb or option', async name => {
  const run = (...args: string[]) => runCommand(`src/cli/${name}.ts`, args, database.env);
  const { err } = await run('none/x');
  const [, verbs] = /^There is no 'none\/x': choose (.*)\.$/m.exec(err) ?? [];
  const said = (verbs?.split(/, | or /).map(verb => [verb]) ?? [[]]).flatMap(verb => [
    [...verb, hostile],
    [...verb, join(folder, hostile)],
    [...verb, 'zoe@example.com', join(folder, hostile), '--yes'],
  ]);
  for (const args of [...said, ...options(name, hostile), [`--${hostile}`], [`--json=${hostile}`]]) {
    const answer = await run(...args);
    expect(answer.code, JSON.stringify(args)).not.toBe(0);
    expectHarmless(answer);
  }
});

test.each(['start', 'worker', 'build', 'dev', ...Object.keys(commands)])(
  'npm run %s shows a hostile setting',
  async name => {
    const said = await runCommand(`src/cli/${name}.ts`, commands[name] ?? [], { PORT: hostile });
    expect(said.code).toBe(1);
    expect(said.err).toContain('PORT');
    expectHarmless(said);
  },
);

test.each(['inbox', 'newsletter', 'privacy', 'backup', 'restore'])(
  'npm run %s shows a hostile data folder',
  async name => {
    const said = await runCommand(`src/cli/${name}.ts`, commands[name] ?? [], {
      DATA_DIR: join(folder, hostile),
    });
    expect(said.code).toBe(1);
    expectHarmless(said);
  },
);

/** Options that take words, each with what must stand beside it for them to be looked at. */
function options(name: string, value: string): string[][] {
  const said: Record<string, string[][]> = {
    inbox: [
      ...['since', 'state', 'limit', 'before', 'to'].map(option => ['list', `--${option}=${value}`]),
      ['deliveries', `--to=${value}`],
    ],
    newsletter: [
      ['list', `--state=${value}`],
      ['test', 'none.md', `--to=${value}`],
    ],
    privacy: [
      ['rectify', 'zoe@example.com', `--email=${value}`],
      ['erase', 'zoe@example.com', `--with=${value}`, '--yes'],
    ],
    restore: [['none', `--erasures=${value}`]],
    'check-launch': [[`--dns=${value}`], [`--connect=${value}`]],
  };
  return said[name] ?? [];
}

describe('npm run restore', () => {
  const head = {
    format: 'wardhouse backup',
    version: 1,
    madeAt: '2026-01-02T03:04:05.678Z',
    migrations: migrationNames,
  };
  const file = (lines: unknown[]) => {
    const path = join(folder, `${hostile.replaceAll('/', '')}.backup`);
    writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
    return path;
  };

  test.each([
    ['migrations', [{ ...head, migrations: [hostile] }]],
    ['columns', [head, { t: 'messages', r: { [hostile]: 1 } }]],
    ['counts', [head, { end: true, counts: { messages: hostile }, sha256: '' }]],
    ['text that is no line', [head, hostile]],
  ])('shows a backup with hostile %s', async (_, lines) => {
    const said = await runProcess('src/cli/restore.ts', [file(lines)], database.env);
    expect(said.code).toBe(1);
    expect(said.err).toMatch(/^\S.* line \d: .*Nothing was changed\.\n$/);
    expectHarmless(said);
  });

  test('shows what a database answers to it', async () => {
    const DATABASE_URL = `postgres://127.0.0.1:1/${encodeURIComponent(hostile)}`;
    const said = await runCommand('src/cli/restore.ts', [file([head])], { DATABASE_URL });
    expect(said.code).toBe(1);
    expectHarmless(said);
  });
});

test('colours, progress, a question and a fault that no command foresees bring nothing of a value along', async () => {
  const cli = join(import.meta.dirname, '../src/cli');
  const script = join(folder, 'fault.ts');
  writeFileSync(
    script,
    `import { commonOptions, runOnly } from ${JSON.stringify(join(cli, 'command.ts'))};
     import { askYes, printLines, redraw, styled } from ${JSON.stringify(join(cli, 'terminal.ts'))};
     async function runApart(_, { given: [value] }) {
       printLines([[styled('red', value), value]]);
       redraw(value);
       process.stdin.push('no\\n');
       await askYes(value);
       setImmediate(() => Promise.reject(new Error(value)));
     }
     await runOnly({ name: 'fault', usage: '', options: commonOptions, verb: { runApart, most: 1, options: [] } });`,
  );
  const { code, out, err } = await runProcess(script, [hostile], { FORCE_COLOR: '1' });
  expect(code).toBe(1);
  expect(out.match(/owned/g)).toHaveLength(2);
  expect(err).toMatch(/owned.*\[y\/N\].*Error: none\/x.*owned.*\n {4,}at /s);
  const ours = ['\x1b[31m', '\x1b[39m', '\r\x1b[2K'];
  const rest = (text: string) => ours.reduce((left, one) => left.replace(one, ''), text);
  expectHarmless({ code, out: rest(out), err: rest(err) });
});
