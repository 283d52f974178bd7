import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CommandResult, runCommand, runProcess } from './harness/command.ts';
import { databases, type TestDatabase } from './harness/databases.ts';
import { findControlCharacters } from './harness/injection-checks.ts';
import { collectLog, testConfig, wireSite } from './harness/site.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Escape sequences, bidirectional controls and line ends that would imitate output of the command. */
const hostile =
  'none/x\x1b]0;owned\x07\x1b[2J\u009b31m\u061c\u200e\u200f\u202e\u2066\u2028\r\nNothing was changed.\n\x7f';
/** With the arguments needed to reach the configuration, and one that takes any text. */
const commands: Record<string, { args: string[]; hostile: string[] }> = {
  inbox: { args: ['list'], hostile: ['list', `--since=${hostile}`] },
  newsletter: { args: ['list'], hostile: ['send', hostile, '--yes'] },
  privacy: { args: ['find', 'zoe@example.com'], hostile: ['find', hostile] },
  backup: { args: ['none/x'], hostile: [hostile] },
  restore: { args: ['none/x'], hostile: ['none', `--erasures=${hostile}`] },
  'copy-database': { args: ['none/x', 'none/y'], hostile: [hostile, 'none/y'] },
  'check-launch': { args: [], hostile: [`--dns=${hostile}`] },
  audit: { args: ['example.com'], hostile: [hostile] },
};

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-terminal-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await (databases[0] as (typeof databases)[number]).create();
  await (await wireSite(testConfig(database.env), collectLog()))[Symbol.asyncDispose]();
});
afterAll(async () => {
  await database.remove();
  rmSync(folder, { recursive: true });
});

function expectHarmless({ out, err }: CommandResult): void {
  expect(findControlCharacters(out + err)).toEqual([]);
  expect((out + err).split('\n')).not.toContain('Nothing was changed.');
}

test('every command neutralises hostile arguments and options', async () => {
  for (const [name, { hostile: args }] of Object.entries(commands)) {
    for (const given of [args, [`--${hostile}`]]) {
      const answer = await runCommand(`src/apps/cli/${name}.ts`, given, database.env);
      expect(answer.code, `${name} ${JSON.stringify(given)}`).not.toBe(0);
      expectHarmless(answer);
    }
  }
});

test('every command neutralises a hostile setting, and a hostile data folder', async () => {
  for (const name of ['start', 'worker', 'publish-site', 'dev', ...Object.keys(commands)]) {
    const settings = { ...database.env, PORT: hostile };
    const result = await runCommand(`src/apps/cli/${name}.ts`, commands[name]?.args ?? [], settings);
    // The inbox stays readable while a setting of the site is wrong.
    const code = name === 'inbox' ? 0 : 1;
    expect([name, result.code, result.err]).toEqual([name, code, expect.stringContaining('PORT')]);
    expectHarmless(result);
  }
  const result = await runCommand('src/apps/cli/inbox.ts', ['list'], { DATA_DIR: join(folder, hostile) });
  expect(result.code).toBe(1);
  expectHarmless(result);
});

test('prompts and uncaught errors are neutralised, too', async () => {
  const cli = join(import.meta.dirname, '../src/apps/cli');
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
     await runCommand(createCommand('fault', '', []).argument('<value>').action(run));`,
  );
  const { code, out, err } = await runProcess(script, [hostile], {});
  expect(code).toBe(1);
  expect(out).toContain('owned');
  expect(err).toMatch(/owned.*\[y\/N\].*Error: none\/x.*owned.*\n {4,}at /s);
  expectHarmless({ code, out, err });
});
