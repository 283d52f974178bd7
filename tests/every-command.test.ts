import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createDnsServer } from './fakes/dns-server.ts';
import { type CommandResult, compileCache, compileCacheSettings, runCommand } from './harness/command.ts';
import { listActions, listExamples } from './harness/commands-document.ts';
import { createPostgres } from './harness/databases.ts';
import { type Copy, copyProject } from './harness/process.ts';
import { newMessage } from './harness/sample-message.ts';
import { collectLog, root, testConfig, wireSite } from './harness/site.ts';
import { bringToState, verbDeps } from './harness/subscribers.ts';
import { keys, startInTerminal } from './harness/terminal.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts;
const proofScripts: Record<string, string> = JSON.parse(
  readFileSync(join(root, 'proof/package.json'), 'utf8'),
).scripts;
/** Tests themselves, measurements, and what needs the network. */
const excluded = ['test', 'audit:dependencies'];

type Case = {
  /** What some words of the command stand for here. */
  stands?: Record<string, string>;
  /** Arguments without which a test would wait, or leave this machine. */
  more?: string[];
  needsPostgres?: boolean;
  /** A folder with a file of program text. */
  hasOwnFolder?: boolean;
  /** What is asked in a terminal, and what is typed there. */
  answers?: [question: RegExp, typed: string][];
  /** What is seen of its work. */
  shows: RegExp;
  code?: number;
  /** Without a terminal, where that differs. */
  piped?: { shows: RegExp; code: number };
};

/** As in the examples. */
const reference = '7X4QM-2KD9A';
const quarantined = 'B9TRC-4HE2W';
const yes: Case['answers'] = [[/\[y\/N\] /, `y${keys.enter}`]];
const asksFirst = { shows: /not a terminal, so --yes is required/, code: 1 };
const needsFile = { shows: /standard output is a terminal; write to a file or a pipe/, code: 2 };

/** Those of docs/owner/commands.md, and more. Each has a copy of a data folder with messages, subscribers and an issue. */
const dataCommands: Record<string, Case> = {
  inbox: { shows: /Usage: npm run inbox -- /, code: 2 },
  'inbox list --state new': { shows: /7X4QM-2KD9A +\S+ +new/, piped: shown(/7X4QM-2KD9A\t/) },
  'inbox list --since 7d --search "penetration test"': { shows: /7X4QM-2KD9A/ },
  'inbox show 7X4QM-2KD9A': { shows: /Message +│ Please call about a penetration test/ },
  'inbox answer 7X4QM-2KD9A': { shows: /Reply to: mailto:/ },
  'inbox note 7X4QM-2KD9A "Called, will decide on Friday"': { shows: /Note added to 7X4QM-2KD9A/ },
  'inbox close 7X4QM-2KD9A': { shows: /7X4QM-2KD9A closed/ },
  'inbox reopen 7X4QM-2KD9A': { shows: /not reopened; its state is new/, code: 1 },
  'inbox delete 7X4QM-2KD9A': { answers: yes, shows: /Deleted: 1 message/, piped: asksFirst },
  'inbox export --csv messages.csv': { shows: /2 messages exported/ },
  'inbox export --csv -': { ...needsFile, piped: shown(/7X4QM-2KD9A/) },
  'inbox deliveries --failed': { shows: /7X4QM-2KD9A +sheet +failed/, piped: shown(/\tsheet\t/) },
  'inbox retry --failed': { shows: /1 delivery due now/ },
  'inbox release B9TRC-4HE2W': { shows: /B9TRC-4HE2W released/ },
  'inbox release --reason flood --since 2026-11-01T09:30Z': {
    answers: yes,
    shows: /1 message released/,
    piped: asksFirst,
  },
  'inbox mark-spam 7X4QM-2KD9A': { shows: /7X4QM-2KD9A marked as spam/ },
  'inbox test-message': { shows: /Test message \S+ accepted by every receiver/ },
  'inbox report': { shows: /Deliveries that failed/ },
  newsletter: { shows: /Usage: npm run newsletter -- /, code: 2 },
  'newsletter preview 2026-11.md': { shows: /2026-11\.html/ },
  'newsletter test 2026-11.md --to me@example.com': { shows: /Test for me@example\.com sent to / },
  'newsletter send 2026-11.md': {
    answers: [...yes, [/2 mails queued/, keys.ctrlC]],
    shows: /The site delivers the mails; it is not running\. Start it\.[\s\S]*newsletter -- status/,
    piped: asksFirst,
  },
  'newsletter stop': { shows: /1 mail of 2026-10 held/ },
  'newsletter resume': { shows: /no issue has held mails/, code: 1 },
  'newsletter resend 2026-10 --failed': { shows: /1 mail of 2026-10 due now/ },
  'newsletter status 2026-10': { shows: /reader-\d@example\.com +failed/, piped: shown(/\tfailed\t/) },
  'newsletter list --state confirmed': {
    shows: /reader-0@example\.com +confirmed/,
    piped: shown(/reader-0@example\.com\tconfirmed/),
  },
  'newsletter export --csv > list.csv': { ...needsFile, piped: shown(/reader-0@example\.com/) },
  'newsletter import list.csv --dry-run': { shows: /Dry run: nothing was changed/ },
  'newsletter import list.csv': {
    answers: yes,
    shows: /1 confirmation mail queued/,
    piped: asksFirst,
  },
  'newsletter suppress zoe@example.com': { shows: /zoe@example\.com suppressed/ },
  'newsletter unsuppress zoe@example.com': { shows: /is not suppressed/, code: 1 },
  'newsletter erase zoe@example.com': { shows: /no data found for zoe@example\.com/, code: 1 },
  'newsletter erase reader-0@example.com': { shows: /erased from the newsletter/ },
  'newsletter drop-pending --since 24h': {
    answers: yes,
    shows: /Deleted: .*1 pending subscriber/,
    piped: asksFirst,
  },
  privacy: { shows: /Usage: npm run privacy -- /, code: 2 },
  'privacy find zoe@example.com': {
    shows: /message +7X4QM-2KD9A/,
    piped: shown(/message\t7X4QM/),
  },
  'privacy export zoe@example.com zoe.json': { shows: /Exported to .*2 messages/ },
  'privacy rectify zoe@example.com --name "Zoe Adams"': {
    answers: yes,
    shows: /Corrected: 2 messages/,
    piped: asksFirst,
  },
  'privacy rectify zoe@example.com --email zoe.adams@example.com': {
    answers: yes,
    shows: /Corrected: 2 messages/,
    piped: asksFirst,
  },
  'privacy erase zoe@example.com': { answers: yes, shows: /Erased: 2 messages/, piped: asksFirst },
  'backup backup.sqlite': { stands: { 'backup.sqlite': 'OUT' }, shows: /written .*2 messages/ },
  'restore backup.sqlite --replace': {
    answers: yes,
    shows: /restored as of .*2 messages/,
    piped: asksFirst,
  },
  'copy-database data/wardhouse.sqlite postgres://user:password@localhost/site': {
    stands: { 'postgres://user:password@localhost/site': 'OUT' },
    shows: /Copied to .*2 messages/,
  },
  'check-launch': {
    more: ['--dns', '127.0.0.1:9'],
    shows: /Error: not ready: \d+ required checks failed/,
    code: 1,
  },
  'check-launch --connect 192.0.2.1': {
    stands: { '192.0.2.1': '127.0.0.1:9' },
    more: ['--dns', '127.0.0.1:9'],
    shows: /Error: not ready: \d+ required checks failed/,
    code: 1,
  },
  'audit example.com': { shows: /nothing could be measured/, code: 1 },
};

/** What is seen without a terminal, where a terminal shows something else. */
function shown(shows: RegExp): NonNullable<Case['piped']> {
  return { shows, code: 0 };
}

/** Servers, and what writes into the project: in a copy of it, by npm. A program that npm started ends with its code, npm with that of the signal. */
const siteCommands: Record<string, Case> = {
  start: { answers: [[/The site is at http/, keys.ctrlC]], shows: /stopped/, code: 130 },
  dev: { answers: [[/live reload, is at http/, keys.ctrlC]], shows: /stopped/, code: 130 },
  desk: {
    more: ['--no-open'],
    answers: [[/Ctrl\+C to close the desk/, keys.ctrlD]],
    shows: /sign-in\?token=/,
  },
  worker: {
    answers: [[/Delivering to /, keys.ctrlC]],
    shows: /stopped/,
    code: 130,
    needsPostgres: true,
  },
  'publish-site': { more: ['--due-posts'], shows: /No scheduled post is due/ },
  setup: {
    more: ['--dns', '127.0.0.1:9'],
    answers: [
      [/called\?/, `Fenwick${keys.enter}`],
      [/phone/, `abc${keys.enter}`],
      [/expected digits/, keys.ctrlC],
    ],
    shows: /Cancelled\. Nothing was changed\./,
    code: 130,
    piped: { shows: /this is not a terminal/, code: 1 },
  },
};

/** For who works on the program: in the project itself, or in a folder of their own. */
const toolCommands: Record<string, Case> = {
  'test:watch': {
    more: ['src/apps/cli/write-output.test'],
    answers: [[/Waiting for file changes/, 'q']],
    shows: /1 passed/,
  },
  format: { shows: /Fixed 1 file/, hasOwnFolder: true },
  sbom: existsSync(join(root, 'proof/node_modules'))
    ? { more: ['OUT'], shows: /^/ }
    : { more: ['OUT'], shows: /run npm ci --prefix proof first/, code: 1 },
  screenshots: { answers: [[/\.png/, keys.ctrlC]], shows: /\.png\n(\S+\.png\n)*(\^C)?$/, code: 130 },
};

let copy: Copy;
let [seeded, backup] = ['', ''];
beforeAll(async () => {
  copy = copyProject();
  cpSync(join(root, 'tests'), join(copy.folder, 'tests'), { recursive: true });
  seeded = join(copy.folder, 'seeded');
  await seed(seeded);
  backup = join(copy.folder, 'backup.sqlite');
  await runCommand('src/apps/cli/backup.ts', [backup], { DATA_DIR: seeded });
});
afterAll(() => copy[Symbol.asyncDispose]());

/** Two messages of one person, one of them in quarantine; three readers; an issue of which one mail failed. */
async function seed(folder: string): Promise<void> {
  const issue = join(folder, '2026-10.md');
  {
    await using site = await wireSite(testConfig({ DATA_DIR: folder }), collectLog());
    const message = 'Please call about a penetration test.';
    const sent = { message, received_at: new Date().toISOString() };
    await site.store.messages.add(newMessage({ ...sent, reference, receivers: ['mail', 'sheet'] }));
    const held = { state: 'quarantined', quarantine_reason: 'flood' } as const;
    await site.store.messages.add(newMessage({ ...sent, reference: quarantined, ...held }));
    for (const [index, state] of (['confirmed', 'confirmed', 'pending'] as const).entries())
      await bringToState(verbDeps(site), `reader-${index}@example.com`, state);
    writeFileSync(issue, issueText);
  }
  const sent = await runCommand('src/apps/cli/newsletter.ts', ['send', issue, '--yes', '--no-wait'], {
    DATA_DIR: folder,
  });
  expect(sent.err).toContain('2 mails queued');
  using database = new DatabaseSync(join(folder, 'wardhouse.sqlite'));
  database.exec(`update deliveries set state = 'failed', attempts = 10, last_failure = 'answered 500'
    where receiver = 'sheet' or subscriber = (select max(subscriber) from deliveries where receiver = 'newsletter')`);
}

const issueText = '---\nsubject: Hello\n---\nWhat [is new](/faq).\n';

/** The arguments in the name of a case; the shell takes what follows >. */
function readArgs(name: string): string[] {
  const [, ...args] = Array.from(name.matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word);
  return args.includes('>') ? args.slice(0, args.indexOf('>')) : args;
}

/** A data folder of its own, and the files that arguments name. */
function prepare(name: string, { stands = {}, more = [] }: Case, env: Record<string, string> = {}) {
  const folder = mkdtempSync(join(copy.folder, 'case-'));
  const data = join(folder, 'data');
  cpSync(seeded, data, { recursive: true });
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  cpSync(backup, join(folder, 'backup.sqlite'));
  writeFileSync(join(folder, '2026-11.md'), issueText);
  writeFileSync(join(folder, 'list.csv'), 'new@example.com\n');
  writeFileSync(join(folder, 'untidy.ts'), 'export const one="1"\n');
  writeFileSync(join(folder, '.gitignore'), '/data\n');
  const TEST_POSTGRES_URL = process.env.TEST_POSTGRES_URL ?? '';
  const settings = {
    TEST_POSTGRES_URL,
    DATA_DIR: data,
    MIN_FREE_DISK_MB: '0',
    AUDIT_DNS: '127.0.0.1:9',
    PORT: '0',
  };
  const isFile = (word: string) => word === 'OUT' || /^[\w/-]+\.(csv|json|md|sqlite)$/.test(word);
  return {
    folder,
    args: [...readArgs(name), ...more]
      .map(word => stands[word] ?? word)
      .map(word => (isFile(word) ? join(folder, word) : word)),
    env: { ...compileCache, ...settings, HOME: folder, ...env },
  };
}

type Prepared = ReturnType<typeof prepare> & { cwd: string; command: string[] };

async function runInTerminal({ answers = [], shows, code = 0 }: Case, prepared: Prepared): Promise<string> {
  const { cwd, env, command } = prepared;
  await using terminal = startInTerminal(command, { cwd, env });
  for (const [question, typed] of answers) {
    await terminal.waitFor(question, 60_000);
    terminal.type(typed);
  }
  const ended = await terminal.ended;
  expect(terminal.screen()).toMatch(shows);
  expect(ended, terminal.screen()).toBe(code);
  return terminal.screen();
}

/** A program that goes on without asking is ended as by Ctrl+C. */
async function runInPipe({ answers = [] }: Case, prepared: Prepared): Promise<CommandResult> {
  const [program = '', ...args] = prepared.command;
  const { PATH = '' } = process.env;
  const child = spawn(program, args, {
    ...{ cwd: prepared.cwd, env: { PATH, ...prepared.env } },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const result = { code: 0, out: '', err: '' };
  const stopsAt = answers.find(([, typed]) => typed === keys.ctrlC || typed === keys.ctrlD)?.[0];
  let isStopped = false;
  for (const [stream, name] of [
    [child.stdout, 'out'],
    [child.stderr, 'err'],
  ] as const)
    stream.on('data', chunk => {
      result[name] += chunk;
      if (isStopped || !stopsAt?.test(result.out + result.err)) return;
      isStopped = true;
      child.kill('SIGINT');
    });
  const [code, signal] = await once(child, 'close');
  return { ...result, code: signal === 'SIGINT' ? 130 : code };
}

function expectPiped({ shows, code = 0, piped }: Case, { out, err, code: ended }: CommandResult): void {
  expect(out + err).toMatch(piped?.shows ?? shows);
  expect(ended, out + err).toBe(piped?.code ?? code);
}

const escapes = new RegExp(String.fromCharCode(27));
/** As Node's stacks and Vite's errors look. */
const crash = /\n {4}at |One error/;

// Two at a time, as vitest.config.ts says: more would only wait for the processor.
describe.concurrent('in a terminal and without one', () => {
  test.each(Object.keys(dataCommands))('npm run %s', async name => {
    const known = dataCommands[name] as Case;
    const file = `src/apps/cli/${name.split(' ')[0]}.ts`;
    const first = prepare(name, known);
    const command = [process.execPath, file, ...first.args];
    await runInTerminal(known, { ...first, cwd: root, command });
    const second = prepare(name, known);
    // Without the compile cache, which a process reads when it starts, it runs in one that is kept.
    const { NODE_COMPILE_CACHE: _, NODE_COMPILE_CACHE_PORTABLE: __, ...env } = second.env;
    const result = await runCommand(file, second.args, env);
    expectPiped(known, result);
    expect(result.out + result.err).not.toMatch(escapes);
  });

  test.each(Object.keys(siteCommands))('npm run %s', async name => {
    const known = siteCommands[name] as Case;
    await using postgres = known.needsPostgres
      ? await createPostgres(process.env.TEST_POSTGRES_URL ?? '')
      : undefined;
    const env = { ...compileCacheSettings(copy.folder), ...postgres?.env };
    const first = prepare(name, known, env);
    const command = ['npm', 'run', name, '--', ...first.args];
    expect(await runInTerminal(known, { ...first, cwd: copy.folder, command })).not.toMatch(crash);
    const second = prepare(name, known, env);
    const direct = [...readScript(name), ...second.args];
    expectPiped(
      { ...known, code: 0 },
      await runInPipe(known, { ...second, cwd: copy.folder, command: direct }),
    );
  });

  test.each(Object.keys(toolCommands))('npm run %s', async name => {
    const known = toolCommands[name] as Case;
    for (const run of [runInTerminal, runInPipe]) {
      const prepared = prepare(name, known);
      const command = [...readScript(name), ...prepared.args];
      const result = await run(known, {
        ...prepared,
        cwd: known.hasOwnFolder ? prepared.folder : root,
        command,
      });
      if (typeof result !== 'string') expectPiped(known, result);
    }
  });
});

/** The program that a script of package.json starts, without a shell. */
function readScript(name: string): string[] {
  const [program = '', ...args] = scripts[name]?.split(' ') ?? [];
  return [program === 'node' ? process.execPath : join(root, 'node_modules/.bin', program), ...args];
}

test('a setup of forty columns asks for everything, and saves it', async () => {
  await using dns = await createDnsServer({
    'www.wardhouse.home.arpa': { A: ['127.0.0.1'] },
    'wardhouse.home.arpa': { MX: ['mail.wardhouse.home.arpa'] },
  });
  await using own = copyProject();
  const command = [...readScript('setup'), '--dns', dns.address];
  const env = compileCacheSettings(own.folder);
  await using terminal = startInTerminal(command, { cwd: own.folder, columns: 40, env });
  const answers: [question: RegExp, typed: string][] = [
    [/called\?/, 'Fenwick'],
    [/phone/, '020 7000 0000'],
    [/email/, 'hello@wardhouse.home.arpa'],
    [/postal/, '1 High Street'],
    [/When\s+can/, ''],
    [/Which\s+address\s+will/, 'www.wardhouse.home.arpa'],
    [/send\s+mail/, ''],
    [/Where\s+should\s+messages/, ''],
    [/Save\s+this/, ''],
  ];
  for (const [question, typed] of answers) {
    await terminal.waitFor(question);
    terminal.type(typed + keys.enter);
  }
  expect(await terminal.ended, terminal.screen()).toBe(0);
  const brand = readFileSync(join(own.folder, 'content/brand/brand.yaml'), 'utf8');
  expect(brand).toMatch(/^name: Fenwick$/m);
  expect(readFileSync(join(own.folder, '.env'), 'utf8')).toContain(
    'SITE_URL=https://www.wardhouse.home.arpa',
  );
});

test('a question is asked again until the answer is y or n, and Enter, Ctrl+C and Ctrl+D are a no', async () => {
  const answers: [typed: string[], code: number, shows: RegExp][] = [
    [['perhaps\r', 'Y\r'], 0, /Please answer y or n\.[\s\S]*Deleted: 1 message/],
    [['\r'], 1, /\nNothing was deleted\.\n$/],
    [[keys.ctrlC], 1, /\nNothing was deleted\.\n$/],
    [[keys.ctrlD], 1, /\nNothing was deleted\.\n$/],
  ];
  for (const [typed, code, shows] of answers) {
    const questions = [/for good.*\[y\/N\] /, /y or n\. \[y\/N\] /];
    const known: Case = {
      shows,
      code,
      answers: typed.map((text, index) => [questions[index] as RegExp, text]),
    };
    const prepared = prepare(`inbox delete ${reference}`, known);
    const command = [process.execPath, 'src/apps/cli/inbox.ts', ...prepared.args];
    await runInTerminal(known, { ...prepared, cwd: root, command });
  }
});

describe('there is a case', () => {
  const cases = Object.keys({ ...dataCommands, ...siteCommands, ...toolCommands });

  test('for every script of package.json', () => {
    const tried = cases.map(name => name.split(' ')[0] ?? '');
    const untried = Object.keys(scripts).filter(name => !excluded.includes(name) && !tried.includes(name));
    expect(untried).toEqual([]);
    expect(tried.filter(name => !scripts[name])).toEqual([]);
  });

  test('for every command of docs/owner/commands.md, which has every action', async () => {
    const examples = await listExamples();
    expect(examples.length).toBeGreaterThan(40);
    expect(examples.filter(example => !cases.includes(example))).toEqual([]);
    expect(
      (await listActions()).filter(name => !examples.some(one => `${one} `.startsWith(`${name} `))),
    ).toEqual([]);
  });

  test('every documented command exists with its options', async () => {
    const help: Record<string, string> = {};
    for (const name of await listActions()) {
      const [script = '', ...sub] = name.split(' ');
      help[name] = (await runCommand(`src/apps/cli/${script}.ts`, [...sub, '--help'], {})).out;
    }
    const documented = listDocumented();
    expect(documented.length).toBeGreaterThan(80);
    for (const { text, script, rest } of documented) {
      if (excluded.includes(script) || proofScripts[script]) continue;
      expect(Object.keys(scripts), text).toContain(script);
      const [sub = ''] = rest.split(' ');
      const known = help[`${script} ${sub}`] ?? help[script];
      const isSubcommand = Object.keys(help).some(name => name.startsWith(`${script} `));
      if (isSubcommand && /^[a-z]/.test(sub)) expect(known, text).toBeDefined();
      if (known)
        for (const [option] of rest.matchAll(/(?<= )--[a-z-]+/g)) expect(known, text).toContain(option);
    }
  });
});

/** Commands in the README and the docs, with what follows them in the same line of code. */
function listDocumented(): { text: string; script: string; rest: string }[] {
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const files = ['README.md', 'content/README.md', ...docs.map(name => join('docs', name))];
  return files
    .filter(name => name.endsWith('.md'))
    .flatMap(name => [
      ...readFileSync(join(root, name), 'utf8').matchAll(
        /npm (?:run )?(?:-s )?(?:run )?(?:-s )?([a-z][\w:-]*)(?: --((?: (?!#|\s)[^`\n#|>&)]*)?))?/g,
      ),
    ])
    .flatMap(([text, script = '', rest = '']) =>
      /^npm (-s )?run /.test(text) ? [{ text, script, rest: rest.trim() }] : [],
    );
}
