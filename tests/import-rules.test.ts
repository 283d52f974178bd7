import { posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { readSources, readUnitTests, type Source } from './harness/repository-files.ts';

/** 'types' is an `import type` statement: Node loads a module even for `import { type A }`. */
type Reach = 'all' | 'types';

/** Which folder of src may import which other folder, or only a file of it. All other imports between folders are errors. */
const mayImport: Record<string, Record<string, Reach>> = {
  features: {},
  content: { lib: 'all', 'audit/terms.ts': 'all' },
  site: { content: 'types', 'api/contract.ts': 'all', 'audit/terms.ts': 'all' },
  api: { domain: 'all', lib: 'all', 'audit/terms.ts': 'types' },
  domain: { store: 'types', content: 'types', audit: 'types', 'audit/terms.ts': 'all', lib: 'all' },
  audit: { lib: 'all' },
  store: { lib: 'all' },
  outbox: { store: 'all', deliveries: 'all', domain: 'all', lib: 'all' },
  deliveries: { content: 'types', 'domain/privacy/local-copies.ts': 'types', lib: 'all' },
  server: all('content', 'api', 'domain', 'store', 'outbox', 'deliveries', 'audit', 'lib'),
  build: {
    ...all('content', 'server', 'lib'),
    ...all('site/paths.ts', 'store/sqlite-lock.ts'),
    ...all('audit/grade.ts', 'audit/list-checks.ts'),
    ...{ site: 'types', api: 'types' },
  },
  actions: all('domain', 'server', 'build', 'content', 'lib', 'audit/terms.ts'),
  desk: {
    ...all('actions', 'domain', 'server', 'build', 'content', 'lib'),
    ...all('site/components', 'site/styles', 'api/contract.ts'),
    audit: 'types',
  },
  cli: all('actions', 'desk', 'server', 'domain', 'build', 'content', 'audit', 'lib'),
  lib: {},
};

function all(...folders: string[]): Record<string, Reach> {
  return Object.fromEntries(folders.map(folder => [folder, 'all']));
}

/** Modules that only one folder may import. */
const restrictedTo: Record<string, string> = {
  kysely: 'store',
  pg: 'store',
  'node:sqlite': 'store',
  nodemailer: 'deliveries',
  'content:': 'site',
  'site:': 'site',
  'illustrations:': 'site',
  '@napi-rs/canvas': 'build',
};

/** The one list of the fields of a message, which every folder may iterate. */
const messageFields = 'src/features/messages/message-fields.ts';
/** It imports the types of src/audit/terms.ts, and nothing else. */
const safeForBrowser = 'src/api/contract.ts';
/** The terminal module escapes what it prints; the log's lines are escaped where they are created. */
const [writesTerminal, writesLog] = ['src/cli/terminal.ts', 'src/server/wire.ts'];
const terminalAccess = /\bprocess\.(stdout|stderr|emitWarning|_rawDebug)\b|from '(node:)?(console|tty)'/g;
/** Specifiers computed at run time cannot be checked: the loader's chunks, the prerender that was just built, the build's renderer. */
const importsComputed = [
  'src/site/chunks.ts',
  'src/build/write-pages.ts',
  'src/build/build-desk.ts',
  'src/server/audit-pages.ts',
];

/** Commands reach the database only through domain verbs: `services.domainDeps`, never `services.store`. */
const storeAccess = /(?<![\w$])store\b(?=\s*[.,:}?\])]|['"`]\])/g;

type Parsed = Source & { imports: Import[] };
type Import = { specifier: string | undefined; reach: Reach; at: number };

test('src follows the import rules, and has no circular imports, types included', () => {
  const sources = readSources().map(source => ({ ...source, imports: listImports(source) }));
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(findViolations)).toEqual([]);
  expect(findCircular(sources)).toEqual([]);
});

test('the views of the desk import only types of what runs on the server', () => {
  const sources = new Map(readSources().map(source => [source.path, source]));
  const reached = new Set(['src/desk/client.tsx']);
  for (const path of reached) {
    const source = sources.get(path);
    const imported = source ? listImports(source).filter(({ reach }) => reach === 'all') : [];
    for (const { specifier = '' } of imported)
      if (specifier.startsWith('.')) reached.add(posix.join(posix.dirname(path), specifier));
  }
  expect(reached.size).toBeGreaterThan(50);
  const onServer = /^src\/(actions|api|build|deliveries|domain|outbox|server|store)\//;
  expect([...reached].filter(path => onServer.test(path) && path !== safeForBrowser)).toEqual([]);
});

test('a test beside the code runs by name in a fresh clone: nothing it needs is built first', () => {
  const needsBuild =
    /\b(builtSite|startSite)\b[^;]*from '[^']*harness\/site\.ts'|harness\/(builds|process|page|desk)\.ts'/;
  const tests = readUnitTests();
  expect(tests.length).toBeGreaterThan(50);
  expect(tests.filter(({ text }) => needsBuild.test(text)).map(({ path }) => path)).toEqual([]);
});

test('the check finds files that import each other, and those that import them', () => {
  const sources = [
    { path: 'src/lib/a.ts', text: "import { b } from './b.ts';" },
    { path: 'src/lib/b.ts', text: "import type { C } from './c/c.ts';" },
    { path: 'src/lib/c/c.ts', text: "export type C = import('../b.ts').B;\nimport '../d.ts';" },
    { path: 'src/lib/d.ts', text: "import 'node:fs';" },
  ];
  const found = findCircular(sources.map(source => ({ ...source, imports: listImports(source) })));
  expect(found).toEqual(['src/lib/a.ts', 'src/lib/b.ts', 'src/lib/c/c.ts']);
});

test.each([
  ['src/store/a.ts', "import { x } from '../domain/x.ts';", 'store may not import src/domain/x.ts'],
  ['src/lib/a.ts', "import type { X } from '../store/x.ts';", 'lib may not import src/store/x.ts'],
  ['src/api/a.ts', "const x = await import('../server/x.ts');", 'api may not import src/server/x.ts'],
  ['src/domain/a.ts', "import { x } from '../store/x.ts';", 'domain may import only types of src/store/x.ts'],
  [safeForBrowser, "import type { X } from './app.ts';", `${safeForBrowser} imports nothing else`],
  ['src/lib/a.ts', "import { x } from '../../tests/x.ts';", 'tests/x.ts is outside src'],
  ['src/outbox/a.ts', "import type { A } from 'kysely/x';", 'only src/store may import kysely'],
  ['src/lib/a.ts', "const x = await import('../store/' + name);", 'the specifier of an import is computed'],
  ['src/utils/a.ts', '', "there is no folder 'utils'"],
  ['src/server/a.tsx', '', 'only src/site and src/desk hold .tsx'],
  ['src/domain/a.ts', 'send(process.stderr);', `only ${writesTerminal} writes to the terminal`],
  ['src/cli/a.ts', 'await services.store.messages.get(x);', 'cli may not access the store'],
])('the check reports in %s: %s', (path, text, found) => {
  const source = { path, text: `\n${text}` };
  expect(findViolations({ ...source, imports: listImports(source) })).toEqual([
    `${path}:${text ? 2 : 1} ${found}`,
  ]);
});

function findViolations({ path, text, imports }: Parsed): string[] {
  const folder = path.split('/')[1] ?? '';
  const found: { at: number; what: string }[] = [];
  if (!Object.hasOwn(mayImport, folder)) found.push({ at: 0, what: `there is no folder '${folder}'` });
  if (path.endsWith('.tsx') && !['site', 'desk'].includes(folder))
    found.push({ at: 0, what: 'only src/site and src/desk hold .tsx' });
  for (const { specifier, reach, at } of imports) {
    const what =
      path === safeForBrowser && specifier !== '../audit/terms.ts'
        ? `${path} imports nothing else`
        : describeViolation(path, folder, specifier, reach);
    if (what) found.push({ at, what });
  }
  if (['actions', 'cli', 'desk'].includes(folder)) {
    for (const { index } of text.matchAll(storeAccess))
      found.push({ at: index, what: `${folder} may not access the store` });
  }
  if (path !== writesTerminal && path !== writesLog) {
    for (const { index } of text.matchAll(terminalAccess))
      found.push({ at: index, what: `only ${writesTerminal} writes to the terminal` });
  }
  return found.map(({ at, what }) => `${path}:${text.slice(0, at).split('\n').length} ${what}`);
}

function describeViolation(
  path: string,
  folder: string,
  specifier: string | undefined,
  reach: Reach,
): string | undefined {
  if (specifier === undefined) {
    return importsComputed.includes(path) ? undefined : 'the specifier of an import is computed';
  }
  if (!specifier.startsWith('.')) {
    const name = Object.keys(restrictedTo).find(
      module => specifier === module || specifier.startsWith(module.endsWith(':') ? module : `${module}/`),
    );
    if (name && restrictedTo[name] !== folder) return `only src/${restrictedTo[name]} may import ${name}`;
    return /^(@?[a-z])/.test(specifier) ? undefined : `${specifier} is not a package`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  const [top, targetFolder = '', ...rest] = target.split('/');
  if (top !== 'src') return `${target} is outside src`;
  if (targetFolder === folder) return undefined;
  if (target === messageFields) return undefined;
  const allowed = mayImport[folder] ?? {};
  const inFolder = [targetFolder, ...rest].map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  const granted = inFolder.map(name => allowed[name]).findLast(Boolean);
  if (!granted) return `${folder} may not import ${target}`;
  return granted === 'types' && reach !== 'types'
    ? `${folder} may import only types of ${target}`
    : undefined;
}

/** Leaves out files that import none of those left, until all that is left is or imports a cycle. */
function findCircular(sources: readonly Parsed[]): string[] {
  const left = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports.map(({ specifier = '' }) => posix.join(posix.dirname(path), specifier)),
    ]),
  );
  for (let before = Number.POSITIVE_INFINITY; left.size < before; ) {
    before = left.size;
    for (const [path, targets] of left) if (!targets.some(target => left.has(target))) left.delete(path);
  }
  return [...left.keys()];
}

function listImports({ path, text }: Source): Import[] {
  const imports: Import[] = [];
  const add = (node: { start: number }, specifier: string | undefined, kind: string | null | undefined) =>
    void imports.push({ specifier, reach: kind === 'type' ? 'types' : 'all', at: node.start });
  new Visitor({
    ImportDeclaration: node => add(node, node.source.value, node.importKind),
    ExportAllDeclaration: node => add(node, node.source.value, node.exportKind),
    ExportNamedDeclaration: node => void (node.source && add(node, node.source.value, node.exportKind)),
    ImportExpression: node => add(node, readString(node.source), 'value'),
    TSImportType: node => add(node, node.source.value, 'type'),
  }).visit(parseSync(path, text).program);
  return imports;
}

function readString(node: { type: string; value?: unknown }): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
