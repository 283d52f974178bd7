import { posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { readSources, type Source } from './harness/repository-files.ts';

/** 'types' is an `import type` statement: Node loads a module even for `import { type A }`. */
type Reach = 'all' | 'types';

/** Which folder of src may import which other folder, or only a file of it. All other imports between folders are errors. */
const mayImport: Record<string, Record<string, Reach>> = {
  content: { lib: 'all' },
  site: { content: 'types', 'api/contract.ts': 'all' },
  api: { domain: 'all', lib: 'all' },
  domain: { store: 'types', content: 'types', audit: 'types', lib: 'all' },
  audit: { lib: 'all' },
  store: { lib: 'all' },
  outbox: { store: 'all', deliveries: 'all', domain: 'all', lib: 'all' },
  deliveries: { content: 'types', 'domain/privacy/local-copies.ts': 'types', lib: 'all' },
  server: {
    content: 'all',
    api: 'all',
    domain: 'all',
    store: 'all',
    outbox: 'all',
    deliveries: 'all',
    audit: 'all',
    lib: 'all',
  },
  build: {
    content: 'all',
    site: 'types',
    'site/paths.ts': 'all',
    'site/plot-shapes.ts': 'all',
    api: 'types',
    'audit/grade.ts': 'all',
    'audit/list-checks.ts': 'all',
    server: 'all',
    'store/sqlite-lock.ts': 'all',
    lib: 'all',
  },
  desk: {
    domain: 'all',
    server: 'all',
    build: 'all',
    content: 'all',
    audit: 'types',
    'site/components': 'all',
    'site/styles': 'all',
    'site/plot-shapes.ts': 'all',
    'api/contract.ts': 'all',
    lib: 'all',
  },
  cli: { desk: 'all', server: 'all', domain: 'all', build: 'all', content: 'all', audit: 'all', lib: 'all' },
  lib: {},
};

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

const safeForBrowser = 'src/api/contract.ts';
const readsEnvironment = 'src/server/config.ts';
/** The terminal module escapes what it prints; the log's lines are escaped where they are created. */
const [writesTerminal, writesLog] = ['src/cli/terminal.ts', 'src/server/wire.ts'];
/** Specifiers computed at run time cannot be checked: the loader's chunks, the prerender that was just built, the build's renderer. */
const importsComputed = [
  'src/site/chunks.ts',
  'src/build/write-pages.ts',
  'src/build/build-desk.ts',
  'src/server/audit-pages.ts',
];

/** Commands reach the database only through domain verbs: `services.domainDeps`, never `services.store`. */
const storeAccess = /(?<![\w$])store\b(?=\s*[.,:}?\])]|['"`]\])/g;

type Import = { specifier: string | undefined; reach: Reach; at: number };

test('src follows the import rules', () => {
  const sources = readSources();
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(findViolations)).toEqual([]);
});

test('src has no circular imports, types included', () => {
  expect(findCycles(readSources())).toEqual([]);
});

test('the check finds circular imports of values and of types', () => {
  const sources = [
    { path: 'src/lib/a.ts', text: "import { b } from './b.ts';" },
    { path: 'src/lib/b.ts', text: "import type { C } from './c/c.ts';" },
    { path: 'src/lib/c/c.ts', text: "export type C = import('../a.ts').A;" },
    { path: 'src/lib/d.ts', text: "import './a.ts';\nimport 'node:fs';" },
  ];
  expect(findCycles(sources)).toEqual(['src/lib/a.ts → src/lib/b.ts → src/lib/c/c.ts → src/lib/a.ts']);
});

test.each([
  ['src/store/a.ts', "import { x } from '../domain/x.ts';", 'store may not import src/domain/x.ts'],
  ['src/lib/a.ts', "import type { X } from '../store/x.ts';", 'lib may not import src/store/x.ts'],
  ['src/api/a.ts', "export * from '../store/x.ts';", 'api may not import src/store/x.ts'],
  ['src/api/a.ts', "const x = await import('../server/x.ts');", 'api may not import src/server/x.ts'],
  ['src/api/a.ts', "type X = import('../server/x.ts').X;", 'api may not import src/server/x.ts'],
  ['src/domain/a.ts', "import { x } from '../store/x.ts';", 'domain may import only types of src/store/x.ts'],
  [safeForBrowser, "import type { X } from './app.ts';", `${safeForBrowser} imports nothing`],
  ['src/lib/a.ts', "import { x } from '../../tests/x.ts';", 'tests/x.ts is outside src'],
  ['src/lib/a.ts', "import x from '#x';", '#x is not a package'],
  ['src/outbox/a.ts', "import type { A } from 'kysely/x';", 'only src/store may import kysely'],
  ['src/server/a.ts', "import home from 'content:home';", 'only src/site may import content:'],
  ['src/lib/a.ts', "const x = await import('../store/' + name);", 'the specifier of an import is computed'],
  ['src/utils/a.ts', '', "there is no folder 'utils'"],
  ['src/server/a.tsx', '', 'only src/site and src/desk hold .tsx'],
  ['src/cli/a.ts', 'const x = globalThis.process.env;', `only ${readsEnvironment} reads the environment`],
  ['src/cli/a.ts', "import { env } from 'node:process';", `only ${readsEnvironment} reads the environment`],
  ['src/domain/a.ts', 'send(process.stderr);', `only ${writesTerminal} writes to the terminal`],
  ['src/cli/a.ts', "import { log } from 'node:console';", `only ${writesTerminal} writes to the terminal`],
  ['src/cli/a.ts', 'await services.store.messages.get(x);', 'cli may not access the store'],
  ['src/lib/a.ts', 'import {', 'cannot be parsed'],
])('the check reports in %s: %s', (path, text, found) => {
  expect(findViolations({ path, text: `\n${text}` })).toEqual([`${path}:${text ? 2 : 1} ${found}`]);
});

function findViolations({ path, text }: Source): string[] {
  const folder = path.split('/')[1] ?? '';
  const { imports, environment, terminal, isBroken } = parse({ path, text });
  const found: { at: number; what: string }[] = [];
  if (isBroken) found.push({ at: text.length, what: 'cannot be parsed' });
  if (!Object.hasOwn(mayImport, folder)) found.push({ at: 0, what: `there is no folder '${folder}'` });
  if (path.endsWith('.tsx') && !['site', 'desk'].includes(folder))
    found.push({ at: 0, what: 'only src/site and src/desk hold .tsx' });
  for (const { specifier, reach, at } of imports) {
    const what =
      path === safeForBrowser ? `${path} imports nothing` : describeViolation(path, folder, specifier, reach);
    if (what) found.push({ at, what });
  }
  if (folder === 'cli' || folder === 'desk') {
    for (const { index } of text.matchAll(storeAccess))
      found.push({ at: index, what: `${folder} may not access the store` });
  }
  if (path !== readsEnvironment) {
    for (const at of environment) found.push({ at, what: `only ${readsEnvironment} reads the environment` });
  }
  if (path !== writesTerminal && path !== writesLog) {
    for (const at of terminal) found.push({ at, what: `only ${writesTerminal} writes to the terminal` });
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
  const allowed = mayImport[folder] ?? {};
  const inFolder = [targetFolder, ...rest].map((_, index, parts) => parts.slice(0, index + 1).join('/'));
  const granted = inFolder.map(name => allowed[name]).findLast(Boolean);
  if (!granted) return `${folder} may not import ${target}`;
  return granted === 'types' && reach !== 'types'
    ? `${folder} may import only types of ${target}`
    : undefined;
}

/** Depth-first search: an import of a file that is still being searched closes a cycle. */
function findCycles(sources: readonly Source[]): string[] {
  const graph = new Map(sources.map(source => [source.path, listImportedFiles(source)]));
  const cycles: string[] = [];
  const finished = new Set<string>();
  function search(path: string, importers: readonly string[]): void {
    const start = importers.indexOf(path);
    if (start >= 0) cycles.push([...importers.slice(start), path].join(' → '));
    if (start >= 0 || finished.has(path)) return;
    for (const target of graph.get(path) ?? []) search(target, [...importers, path]);
    finished.add(path);
  }
  for (const path of graph.keys()) search(path, []);
  return cycles;
}

function listImportedFiles(source: Source): string[] {
  return parse(source).imports.flatMap(({ specifier }) =>
    specifier?.startsWith('.') ? posix.join(posix.dirname(source.path), specifier) : [],
  );
}

type Parsed = { imports: Import[]; environment: number[]; terminal: number[]; isBroken: boolean };

function parse({ path, text }: Source): Parsed {
  const { program, errors } = parseSync(path, text);
  const imports: Import[] = [];
  const environment: number[] = [];
  const terminal: number[] = [];
  const add = (node: { start: number }, specifier: string | undefined, kind: string | null | undefined) =>
    imports.push({ specifier, reach: kind === 'type' ? 'types' : 'all', at: node.start });

  new Visitor({
    ImportDeclaration(node) {
      add(node, node.source.value, node.importKind);
      if (/^(node:)?process$/.test(node.source.value)) environment.push(node.start);
      if (/^(node:)?(console|tty)$/.test(node.source.value)) terminal.push(node.start);
    },
    ExportAllDeclaration: node => void add(node, node.source.value, node.exportKind),
    ExportNamedDeclaration: node => void (node.source && add(node, node.source.value, node.exportKind)),
    ImportExpression: node => void add(node, readString(node.source), 'value'),
    TSImportType: node => void add(node, node.source.value, 'type'),
    MemberExpression(node) {
      const property =
        node.property.type === 'Identifier' && !node.computed
          ? node.property.name
          : readString(node.property);
      if (isProcess(node.object) && (property === undefined || property === 'env'))
        environment.push(node.start);
      if (isProcess(node.object) && property && writers.includes(property)) terminal.push(node.start);
    },
    VariableDeclarator: node => void (node.init && isProcess(node.init) && environment.push(node.start)),
  }).visit(program);
  return { imports, environment, terminal, isBroken: errors.length > 0 };
}

const writers = ['stdout', 'stderr', 'emitWarning', '_rawDebug'];

function isProcess(node: { type: string; name?: unknown; property?: unknown }): boolean {
  return node.name === 'process' || (node.property as { name?: unknown } | undefined)?.name === 'process';
}

function readString(node: { type: string; value?: unknown }): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}
