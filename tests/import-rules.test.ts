import { posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { readSources, readUnitTests, type Source } from './harness/repository-files.ts';

/** 'types' is an `import type` statement: Node loads a module even for `import { type A }`. */
type Reach = 'all' | 'types';

/**
 * lib imports packages only; core imports lib; ui imports lib and core's types; a feature imports lib, core, ui, its own files
 * and other features' index.ts and contract.ts; apps import everything.
 */
function mayImport(from: string, target: string, reach: Reach): boolean {
  const [area, targetArea] = [findArea(from), findArea(target)];
  if (area === targetArea || area === 'apps' || targetArea === 'lib') return true;
  if (area === 'ui') return targetArea === 'core' && reach === 'types';
  if (!area.startsWith('features/')) return false;
  return ['core', 'ui'].includes(targetArea) || /^src\/features\/[^/]+\/(index|contract)\.ts$/.test(target);
}

/** Imports that break these rules, by folder: the numbers may only shrink. */
const exceptions: Record<string, number> = {
  'core/database → features/messages': 1,
};

/** Modules that only these folders may import. */
const restrictedTo: Record<string, RegExp> = {
  kysely: /^src\/(core\/(database|outbox)|features\/[^/]+)\//,
  pg: /^src\/core\/database\//,
  'node:sqlite': /^src\/core\/database\//,
  nodemailer: /^src\/core\/mail\//,
  'content:': /^src\/(ui|features\/[^/]+\/pages)\//,
  'site:': /^src\/(ui\/|features\/[^/]+\/pages\/|apps\/build\/prerender\.tsx)/,
  'slot:': /^src\/(ui|features\/[^/]+\/pages)\//,
  'illustrations:': /^src\/(ui|features\/[^/]+\/pages)\//,
  '@napi-rs/canvas': /^src\/(apps\/build|features\/blog)\//,
};

/** What runs in a browser, and the only files in JSX, which Node cannot run. */
const runsInBrowser = /^src\/(ui|features\/[^/]+\/pages)\//;
const mayBeJsx =
  /^src\/(ui|features\/[^/]+\/(pages|desk)|apps\/desk)\/|^src\/features(\/[^/]+\/desk|\.desk)\.tsx$|^src\/apps\/build\/prerender\.tsx$/;
/** What browser and server agree on: it imports types of its own folder, and nothing else. */
const contract = /^src\/(ui|features\/[^/]+)\/contract\.ts$/;
/** Beside the folders of the browser: modules of a feature or of the core that import nothing of Node. */
const safeForBrowser = ['src/features/audit/terms.ts', 'src/features/messages/message-fields.ts'];
/** The terminal module escapes what it prints; the log's lines are escaped where they are created. */
const [writesTerminal, writesLog] = ['src/apps/cli/terminal.ts', 'src/core/process-log.ts'];
const terminalAccess = /\bprocess\.(stdout|stderr|emitWarning|_rawDebug)\b|from '(node:)?(console|tty)'/g;
/** Specifiers computed at run time cannot be checked: the loader's chunks, the prerender that was just built, the build's renderer. */
const importsComputed = [
  'src/ui/chunks.ts',
  'src/apps/build/write-pages.ts',
  'src/apps/build/build-desk.ts',
  'src/features/audit/requests/audit-pages.ts',
];

/** Commands reach the database only through domain verbs: `services.domainDeps`, never `services.store`. */
const withoutStore = /^src\/(apps\/(cli|desk)|features\/[^/]+\/(actions|desk))\//;
const storeAccess = /(?<![\w$])store\b(?=\s*[.,:}?\])]|['"`]\])/g;

type Parsed = Source & { imports: Import[] };
type Import = { specifier: string | undefined; reach: Reach; at: number };

test('src follows the import rules, and has no circular imports, types included', () => {
  const sources = readSources().map(source => ({ ...source, imports: listImports(source) }));
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(findViolations)).toEqual([]);
  const counts = Object.entries(countExceptions(sources));
  expect(counts.filter(([pair, count]) => count > (exceptions[pair] ?? 0))).toEqual([]);
  expect(findCircular(sources)).toEqual([]);
});

test('what runs in a browser imports only types of what runs on the server', () => {
  const sources = new Map(readSources().map(source => [source.path, source]));
  const reached = new Set([...sources.keys()].filter(path => runsInBrowser.test(path)));
  expect(reached.size).toBeGreaterThan(50);
  reached.add('src/apps/desk/client.tsx');
  for (const path of reached) {
    const source = sources.get(path);
    const imported = source ? listImports(source).filter(({ reach }) => reach === 'all') : [];
    for (const { specifier = '' } of imported)
      if (specifier.startsWith('.')) reached.add(posix.join(posix.dirname(path), specifier));
  }
  expect(reached.size).toBeGreaterThan(150);
  const onServer =
    /^src\/(core\/(?!content\/)|apps\/(?!desk\/|build\/prerender\.tsx)|features\/[^/]+\/(?!pages\/|desk\/|desk\.tsx))/;
  const found = [...reached].filter(
    path => onServer.test(path) && !contract.test(path) && !safeForBrowser.includes(path),
  );
  expect(found).toEqual([]);
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
  ['src/lib/a.ts', "import type { X } from '../core/x.ts';", 'lib → core/x.ts'],
  ['src/core/mail/a.ts', "import type { X } from '../../features/audit/x.ts';", 'core/mail → features/audit'],
  ['src/core/a.ts', "const x = await import('../apps/server/x.ts');", 'core/a.ts → apps/server'],
  ['src/ui/a.ts', "import { x } from '../core/content/x.ts';", 'ui → core/content'],
  ['src/ui/forms/a.ts', "import type { X } from '../../features/blog/x.ts';", 'ui → features/blog'],
  ['src/features/blog/a.ts', "import { x } from '../audit/x.ts';", 'features/blog → features/audit'],
  [
    'src/features/blog/desk/a.ts',
    "import { x } from '../../../apps/desk/x.ts';",
    'features/blog → apps/desk',
  ],
])('the check counts an import in %s: %s', (path, text, pair) => {
  const source = { path, text };
  expect(countExceptions([{ ...source, imports: listImports(source) }])).toEqual({ [pair]: 1 });
});

test.each([
  ['src/core/a.ts', "import { x } from '../lib/x.ts';"],
  ['src/ui/a.ts', "import type { X } from '../core/content/x.ts';"],
  ['src/features/blog/a.ts', "import { x } from '../audit/index.ts';\nimport '../../core/x.ts';"],
  ['src/features/blog/pages/a.tsx', "import { x } from '../../../ui/x.tsx';\nimport '../x.ts';"],
  ['src/apps/server/a.ts', "import { x } from '../../features/blog/x.ts';"],
])('the check permits an import in %s: %s', (path, text) => {
  const source = { path, text };
  const parsed = { ...source, imports: listImports(source) };
  expect(countExceptions([parsed])).toEqual({});
  expect(findViolations(parsed)).toEqual([]);
});

test.each([
  ['src/ui/contract.ts', "import { x } from './x.ts';", 'a contract imports nothing but types of its folder'],
  ['src/lib/a.ts', "import { x } from '../../tests/x.ts';", 'tests/x.ts is outside src'],
  ['src/core/mail/a.ts', "import type { A } from 'kysely/x';", 'kysely is not for this folder'],
  ['src/lib/a.ts', "const x = await import('../store/' + name);", 'the specifier of an import is computed'],
  ['src/utils/a.ts', '', 'src has no such folder'],
  ['src/features/a.ts', '', 'src has no such folder'],
  ['src/apps/server/a.tsx', '', 'Node cannot run .tsx'],
  ['src/apps/desk/a.ts', "import { x } from './x.tsx';", 'Node cannot run src/apps/desk/x.tsx'],
  ['src/core/a.ts', 'send(process.stderr);', `only ${writesTerminal} writes to the terminal`],
  ['src/apps/cli/a.ts', 'await services.store.messages.get(x);', 'this folder may not access the store'],
  ['src/features/blog/desk/a.ts', 'await services.store.posts();', 'this folder may not access the store'],
])('the check reports in %s: %s', (path, text, found) => {
  const source = { path, text: `\n${text}` };
  expect(findViolations({ ...source, imports: listImports(source) })).toEqual([
    `${path}:${text ? 2 : 1} ${found}`,
  ]);
});

/** Such as 'core' or 'features/audit'; '' if there is no such folder. */
function findArea(path: string): string {
  // The lists of the features put them together, as the apps do.
  if (/^src\/features(\.\w+)?\.tsx?$/.test(path)) return 'apps';
  return /^src\/(lib|core|ui|apps|features\/[^/]+)\//.exec(path)?.[1] ?? '';
}

function countExceptions(sources: readonly Parsed[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { path, imports } of sources) {
    for (const { specifier = '', reach } of imports) {
      const target = posix.join(posix.dirname(path), specifier);
      if (!specifier.startsWith('.') || mayImport(path, target, reach)) continue;
      const pair = `${describeFolder(path)} → ${describeFolder(target)}`;
      counts[pair] = (counts[pair] ?? 0) + 1;
    }
  }
  return counts;
}

/** 'lib', 'ui', or a folder or file below core, apps or features, such as 'core/mail'. */
function describeFolder(path: string): string {
  const [, top = '', next = ''] = path.split('/');
  return ['lib', 'ui'].includes(top) ? top : `${top}/${next}`;
}

function findViolations({ path, text, imports }: Parsed): string[] {
  const found: { at: number; what: string }[] = [];
  if (!findArea(path)) found.push({ at: 0, what: 'src has no such folder' });
  if (path.endsWith('.tsx') && !mayBeJsx.test(path)) found.push({ at: 0, what: 'Node cannot run .tsx' });
  for (const { specifier, reach, at } of imports) {
    const what = describeViolation(path, specifier, reach);
    if (what) found.push({ at, what });
  }
  if (withoutStore.test(path)) {
    for (const { index } of text.matchAll(storeAccess))
      found.push({ at: index, what: 'this folder may not access the store' });
  }
  if (path !== writesTerminal && path !== writesLog) {
    for (const { index } of text.matchAll(terminalAccess))
      found.push({ at: index, what: `only ${writesTerminal} writes to the terminal` });
  }
  return found.map(({ at, what }) => `${path}:${text.slice(0, at).split('\n').length} ${what}`);
}

function describeViolation(path: string, specifier: string | undefined, reach: Reach): string | undefined {
  if (specifier === undefined) {
    return importsComputed.includes(path) ? undefined : 'the specifier of an import is computed';
  }
  if (contract.test(path) && (reach === 'all' || !specifier.startsWith('./')))
    return 'a contract imports nothing but types of its folder';
  if (!specifier.startsWith('.')) {
    const name = Object.keys(restrictedTo).find(
      module => specifier === module || specifier.startsWith(module.endsWith(':') ? module : `${module}/`),
    );
    if (name && !restrictedTo[name]?.test(path)) return `${name} is not for this folder`;
    return /^(@?[a-z])/.test(specifier) ? undefined : `${specifier} is not a package`;
  }
  const target = posix.join(posix.dirname(path), specifier);
  if (!target.startsWith('src/')) return `${target} is outside src`;
  const needsJsx = target.endsWith('.tsx') && path.endsWith('.ts') && reach === 'all';
  return needsJsx && !runsInBrowser.test(path) ? `Node cannot run ${target}` : undefined;
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
