import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { type Expression, parseSync, type Span, Visitor } from 'oxc-parser';
import { describe, expect, test } from 'vitest';
import { root } from './harness/site.ts';

/** 'types' is an `import type` statement: Node loads a module even for `import { type A }`. */
type Reach = 'all' | 'types';

/** Which room may import which, or which file of it alone. A room may import itself; what is not here, it may not. */
const mayImport: Record<string, Record<string, Reach>> = {
  content: {},
  site: { content: 'types', 'api/contract.ts': 'all' },
  api: { domain: 'all', lib: 'all' },
  domain: { store: 'types', content: 'types', lib: 'all' },
  store: { lib: 'all' },
  outbox: { store: 'all', deliveries: 'all', domain: 'all', lib: 'all' },
  deliveries: { content: 'types', lib: 'all' },
  server: {
    content: 'all',
    api: 'all',
    domain: 'all',
    store: 'all',
    outbox: 'all',
    deliveries: 'all',
    lib: 'all',
  },
  build: { content: 'all', site: 'types', 'site/paths.ts': 'all', api: 'types', server: 'all', lib: 'all' },
  cli: { server: 'all', domain: 'all', build: 'all', content: 'all', lib: 'all' },
  lib: {},
};

/** What only one room may use. */
const homes: Record<string, string> = {
  kysely: 'store',
  pg: 'store',
  'node:sqlite': 'store',
  nodemailer: 'deliveries',
  'content:': 'site',
  'site:': 'site',
  'illustrations:': 'site',
  '@napi-rs/canvas': 'build',
};

const safeForBrowser = 'src/api/contract.ts';
const readsEnvironment = 'src/server/config.ts';
/** Escapes what it prints. The other writes the log, whose lines are escaped where they are made. */
const [writesTerminal, writesLog] = ['src/cli/terminal.ts', 'src/server/wire.ts'];
/** An address made at run time escapes this check: the loader's chunks, and the prerender that was just built. */
const importsComputed = ['src/site/chunks.ts', 'src/build/write-pages.ts'];

/** Commands reach the database only through domain verbs: `services.domainDeps`, never `services.store`. */
const storeAccess = /(?<![\w$])store\b(?=\s*[.,:}?\])]|['"`]\])/g;

type Source = { path: string; text: string };
type Import = { specifier: string | undefined; reach: Reach; at: number };

test('the house keeps its borders', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(findBreaks)).toEqual([]);
});

test('no test imports proof, which is a package of its own', () => {
  const files = ['src', 'tests'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.tsx?$/.test(name))
      .map(name => join(folder, name)),
  );
  expect(files.filter(file => /from '(\.\.\/)+proof\//.test(readFileSync(join(root, file), 'utf8')))).toEqual(
    [],
  );
});

describe('the check finds', () => {
  test.each([
    ['src/store/a.ts', "import { x } from '../domain/x.ts';", 'store may not import src/domain/x.ts'],
    [
      'src/lib/a.ts',
      "import type { X } from '../store/open-store.ts';",
      'lib may not import src/store/open-store.ts',
    ],
    [
      'src/server/a.ts',
      "import { x } from '../build/content-security-policy.ts';",
      'server may not import src/build/content-security-policy.ts',
    ],
    ['src/api/a.ts', "export * from '../store/open-store.ts';", 'api may not import src/store/open-store.ts'],
    [
      'src/api/a.ts',
      "export { x } from '../store/open-store.ts';",
      'api may not import src/store/open-store.ts',
    ],
    [
      'src/api/a.ts',
      "export type { X } from '../store/open-store.ts';",
      'api may not import src/store/open-store.ts',
    ],
    ['src/api/a.ts', "import '../server/wire.ts';", 'api may not import src/server/wire.ts'],
    ['src/api/a.ts', "const x = await import('../server/wire.ts');", 'api may not import src/server/wire.ts'],
    [
      'src/api/a.ts',
      "type X = import('../server/wire.ts').Services;",
      'api may not import src/server/wire.ts',
    ],
    ['src/api/guards/a.ts', "import { x } from '../../store/x.ts';", 'api may not import src/store/x.ts'],
    ['src/site/a.ts', "import { x } from '../api/app.ts';", 'site may not import src/api/app.ts'],
    [
      'src/site/a.ts',
      "import { x } from '../content/read-content.ts';",
      'site may import only types of src/content/read-content.ts',
    ],
    [
      'src/domain/a.ts',
      "import { x } from '../store/open-store.ts';",
      'domain may import only types of src/store/open-store.ts',
    ],
    [
      'src/domain/a.ts',
      "import { type X } from '../store/open-store.ts';",
      'domain may import only types of src/store/open-store.ts',
    ],
    [
      'src/build/a.ts',
      "import { x } from '../site/scroll.ts';",
      'build may import only types of src/site/scroll.ts',
    ],
    [safeForBrowser, "import type { X } from './app.ts';", `${safeForBrowser} imports nothing`],
    [safeForBrowser, "import { x } from 'node:fs';", `${safeForBrowser} imports nothing`],
    ['src/lib/a.ts', "import { x } from '../../tests/x.ts';", 'tests/x.ts is outside src'],
    ['src/cli/a.ts', "await import('../../proof/run.ts');", 'proof/run.ts is outside src'],
    ['src/lib/a.ts', "import x from '#x';", '#x is no package'],
    ['src/outbox/a.ts', "import { sql } from 'kysely';", 'only src/store may import kysely'],
    [
      'src/outbox/a.ts',
      "import type { A } from 'kysely/helpers/postgres';",
      'only src/store may import kysely',
    ],
    ['src/server/a.ts', "import pg from 'pg';", 'only src/store may import pg'],
    ['src/cli/a.ts', "import { DatabaseSync } from 'node:sqlite';", 'only src/store may import node:sqlite'],
    ['src/server/a.ts', "import home from 'content:home';", 'only src/site may import content:'],
    ['src/lib/a.ts', "const x = await import('../store/' + name);", 'the address of an import is computed'],
    ['src/utils/a.ts', '', "there is no room 'utils'"],
    ['src/a.ts', '', "there is no room 'a.ts'"],
    ['src/server/a.tsx', '', 'only src/site holds .tsx'],
    ['src/cli/a.ts', 'const x = process.env.PORT;', `only ${readsEnvironment} reads the environment`],
    ['src/cli/a.ts', "const x = process['env'];", `only ${readsEnvironment} reads the environment`],
    ['src/cli/a.ts', 'const x = globalThis.process.env;', `only ${readsEnvironment} reads the environment`],
    ['src/cli/a.ts', 'const { env } = process;', `only ${readsEnvironment} reads the environment`],
    ['src/cli/a.ts', "import { env } from 'node:process';", `only ${readsEnvironment} reads the environment`],
    ['src/cli/a.ts', "process.stdout.write('x');", `only ${writesTerminal} writes to the terminal`],
    ['src/domain/a.ts', 'send(process.stderr);', `only ${writesTerminal} writes to the terminal`],
    ['src/cli/a.ts', "process['stdout'].end();", `only ${writesTerminal} writes to the terminal`],
    ['src/cli/a.ts', "process.emitWarning('x');", `only ${writesTerminal} writes to the terminal`],
    ['src/cli/a.ts', "console.error('x');", `only ${writesTerminal} writes to the terminal`],
    ['src/cli/a.ts', "import { log } from 'node:console';", `only ${writesTerminal} writes to the terminal`],
    [
      'src/cli/a.ts',
      "import { WriteStream } from 'node:tty';",
      `only ${writesTerminal} writes to the terminal`,
    ],
    ['src/cli/a.ts', 'await services.store.messages.get(x);', 'cli may not access the store'],
    ['src/cli/a.ts', 'const { store: { messages } } = services;', 'cli may not access the store'],
    ['src/cli/a.ts', 'const { store } = services;', 'cli may not access the store'],
    ['src/cli/a.ts', "type Store = Wired['store'];", 'cli may not access the store'],
    ['src/lib/a.ts', 'import {', 'cannot be parsed'],
  ])('in %s: %s', (path, text, found) => {
    expect(findBreaks({ path, text: `\n${text}` })).toEqual([`${path}:${text ? 2 : 1} ${found}`]);
  });

  test('every break of a file, on its line', () => {
    const text = "import { x } from '../api/app.ts';\n\nimport pg from 'pg';\nprocess.env.X;\n";
    expect(findBreaks({ path: 'src/lib/a.ts', text })).toEqual([
      'src/lib/a.ts:1 lib may not import src/api/app.ts',
      'src/lib/a.ts:3 only src/store may import pg',
      `src/lib/a.ts:4 only ${readsEnvironment} reads the environment`,
    ]);
  });
});

test.each([
  ['src/domain/a.ts', "import type { Messages } from '../store/messages.ts';"],
  [
    'src/site/components/a.tsx',
    "import { contactPath } from '../../api/contract.ts';\nexport const A = () => <p>{contactPath}</p>;",
  ],
  ['src/site/a.ts', "import home from 'content:home';"],
  ['src/build/a.ts', "import { paths } from '../site/paths.ts';"],
  ['src/store/migrations/a.ts', "import { sql } from 'kysely';\nimport type { Tables } from '../tables.ts';"],
  ['src/cli/a.ts', "print('process.env'); // process.env, process.stdout"],
  [writesTerminal, "process.stdout.write('x');"],
  [writesLog, "process.stdout.write('x');"],
  ['src/lib/a.ts', "const text = \"import x from '../store/open-store.ts'\"; // import '../store/open.ts'"],
  [readsEnvironment, "import { loadEnvFile } from 'node:process';\nprocess.env.PORT;"],
])('the check lets %s be: %s', (path, text) => expect(findBreaks({ path, text })).toEqual([]));

function readSources(): Source[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(({ name }) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map(file => ({ path: relative(root, file).replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }));
}

function findBreaks({ path, text }: Source): string[] {
  const room = path.split('/')[1] ?? '';
  const { imports, environment, terminal, isBroken } = parse({ path, text });
  const found: { at: number; what: string }[] = [];
  if (isBroken) found.push({ at: text.length, what: 'cannot be parsed' });
  if (!Object.hasOwn(mayImport, room)) found.push({ at: 0, what: `there is no room '${room}'` });
  if (path.endsWith('.tsx') && room !== 'site') found.push({ at: 0, what: 'only src/site holds .tsx' });
  for (const { specifier, reach, at } of imports) {
    const what = path === safeForBrowser ? `${path} imports nothing` : judge(path, room, specifier, reach);
    if (what) found.push({ at, what });
  }
  if (room === 'cli') {
    for (const { index } of text.matchAll(storeAccess))
      found.push({ at: index, what: 'cli may not access the store' });
  }
  if (path !== readsEnvironment) {
    for (const at of environment) found.push({ at, what: `only ${readsEnvironment} reads the environment` });
  }
  if (path !== writesTerminal && path !== writesLog) {
    for (const at of terminal) found.push({ at, what: `only ${writesTerminal} writes to the terminal` });
  }
  return found.map(({ at, what }) => `${path}:${text.slice(0, at).split('\n').length} ${what}`);
}

function judge(path: string, room: string, specifier: string | undefined, reach: Reach): string | undefined {
  if (specifier === undefined) {
    return importsComputed.includes(path) ? undefined : 'the address of an import is computed';
  }
  if (!specifier.startsWith('.')) {
    const name = Object.keys(homes).find(
      home => specifier === home || specifier.startsWith(home.endsWith(':') ? home : `${home}/`),
    );
    if (name && homes[name] !== room) return `only src/${homes[name]} may import ${name}`;
    return /^(@?[a-z])/.test(specifier) ? undefined : `${specifier} is no package`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const [top, targetRoom = '', ...rest] = target.split('/');
  if (top !== 'src') return `${target} is outside src`;
  if (targetRoom === room) return undefined;
  const allowed = mayImport[room] ?? {};
  const granted = allowed[`${targetRoom}/${rest.join('/')}`] ?? allowed[targetRoom];
  if (!granted) return `${room} may not import ${target}`;
  return granted === 'types' && reach !== 'types' ? `${room} may import only types of ${target}` : undefined;
}

type Parsed = { imports: Import[]; environment: number[]; terminal: number[]; isBroken: boolean };

function parse({ path, text }: Source): Parsed {
  const { program, errors } = parseSync(path, text);
  const imports: Import[] = [];
  const environment: number[] = [];
  const terminal: number[] = [];
  const add = (node: Span, specifier: string | undefined, kind: string | null | undefined) =>
    imports.push({ specifier, reach: kind === 'type' ? 'types' : 'all', at: node.start });

  new Visitor({
    ImportDeclaration(node) {
      add(node, node.source.value, node.importKind);
      if (/^(node:)?process$/.test(node.source.value)) environment.push(node.start);
      if (/^(node:)?(console|tty)$/.test(node.source.value)) terminal.push(node.start);
    },
    ExportAllDeclaration: node => void add(node, node.source.value, node.exportKind),
    ExportNamedDeclaration: node => void (node.source && add(node, node.source.value, node.exportKind)),
    ImportExpression: node => void add(node, textOf(node.source), 'value'),
    TSImportType: node => void add(node, node.source.value, 'type'),
    MemberExpression(node) {
      const property =
        node.property.type === 'Identifier' && !node.computed ? node.property.name : textOf(node.property);
      if (isProcess(node.object) && (property === undefined || property === 'env'))
        environment.push(node.start);
      if (isProcess(node.object) && property && writers.includes(property)) terminal.push(node.start);
      if (node.object.type === 'Identifier' && node.object.name === 'console') terminal.push(node.start);
    },
    VariableDeclarator: node => void (node.init && isProcess(node.init) && environment.push(node.start)),
  }).visit(program);
  return { imports, environment, terminal, isBroken: errors.length > 0 };
}

const writers = ['stdout', 'stderr', 'emitWarning', '_rawDebug'];

function isProcess(node: Expression): boolean {
  if (node.type === 'Identifier') return node.name === 'process';
  return node.type === 'MemberExpression' && 'name' in node.property && node.property.name === 'process';
}

function textOf(node: { type: string; value?: unknown }): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
