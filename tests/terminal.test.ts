import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { wire } from '../src/server/wire.ts';
import { type CommandResult, listVerbs, runCommand, runProcess } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { findControlCharacters } from './harness/injection-checks.ts';
import { collectLog, testConfig } from './harness/site.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Escape sequences, bidirectional controls and line ends that would imitate output of the command. */
const hostile =
  'none/x\x1b]0;owned\x07\x1b[2J\u009b31m\u061c\u200e\u200f\u202e\u2066\u2028\r\nNothing was changed.\n\x7f';
/** With the arguments needed to reach the configuration. */
const commands: Record<string, string[]> = {
  inbox: ['list'],
  newsletter: ['list'],
  privacy: ['find', 'zoe@example.com'],
  backup: ['none/x'],
  restore: ['none/x'],
  'copy-database': ['none/x', 'none/y'],
  'check-launch': [],
  audit: ['example.com'],
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

function expectHarmless({ out, err }: CommandResult): void {
  expect(findControlCharacters(out + err)).toEqual([]);
  expect((out + err).split('\n')).not.toContain('Nothing was changed.');
}

test.each(Object.keys(commands))('npm run %s neutralises hostile arguments and options', async name => {
  const run = (...args: string[]) => runCommand(`src/cli/${name}.ts`, args, database.env);
  const verbs = listVerbs((await run('--help')).out);
  const result = (verbs.length > 0 ? verbs.map(verb => [verb]) : [[]]).flatMap(verb => [
    [...verb, join(folder, hostile)],
    [...verb, 'zoe@example.com', join(folder, hostile), '--yes'],
  ]);
  for (const args of [...result, ...options(name, hostile), [`--${hostile}`], [`--json=${hostile}`]]) {
    const answer = await run(...args);
    expect(answer.code, JSON.stringify(args)).not.toBe(0);
    expectHarmless(answer);
  }
});

test('every command neutralises a hostile setting, and a hostile data folder', async () => {
  for (const name of ['start', 'worker', 'publish-site', 'dev', ...Object.keys(commands)]) {
    const settings = { ...database.env, PORT: hostile };
    const result = await runCommand(`src/cli/${name}.ts`, commands[name] ?? [], settings);
    // The inbox stays readable while a setting of the site is wrong.
    const code = name === 'inbox' ? 0 : 1;
    expect([name, result.code, result.err]).toEqual([name, code, expect.stringContaining('PORT')]);
    expectHarmless(result);
  }
  for (const name of ['inbox', 'newsletter', 'privacy', 'backup', 'restore']) {
    const settings = { DATA_DIR: join(folder, hostile) };
    const result = await runCommand(`src/cli/${name}.ts`, commands[name] ?? [], settings);
    expect([name, result.code]).toEqual([name, 1]);
    expectHarmless(result);
  }
});

/** Options with a text value, and the arguments they need. */
function options(name: string, value: string): string[][] {
  const result: Record<string, string[][]> = {
    inbox: ['since', 'state', 'limit', 'before', 'to'].map(option => ['list', `--${option}=${value}`]),
    newsletter: [['test', 'none.md', `--to=${value}`]],
    privacy: [['erase', 'zoe@example.com', `--with=${value}`, '--yes']],
    restore: [['none', `--erasures=${value}`]],
    'check-launch': [[`--dns=${value}`]],
  };
  return result[name] ?? [];
}

test('prompts and uncaught errors are neutralised, too', async () => {
  const cli = join(import.meta.dirname, '../src/cli');
  const script = join(folder, 'fault.ts');
  writeFileSync(
    script,
    `import { createCommand, runCommand } from ${JSON.stringify(join(cli, 'command.ts'))};
     import { askYesNo, printLines } from ${JSON.stringify(join(cli, 'terminal.ts'))};
     async function run(value) {
       printLines([value]);
       process.stdin.push('no\\n');
       await askYesNo(value);
       setImmediate(() => Promise.reject(new Error(value)));
     }
     await runCommand(createCommand('fault', '', '').argument('<value>').action(run));`,
  );
  const { code, out, err } = await runProcess(script, [hostile], {});
  expect(code).toBe(1);
  expect(out).toContain('owned');
  expect(err).toMatch(/owned.*\[y\/N\].*Error: none\/x.*owned.*\n {4,}at /s);
  expectHarmless({ code, out, err });
});
