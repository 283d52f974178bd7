import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, parseSync, Visitor } from 'oxc-parser';
import { expect, test } from 'vitest';
import { weights } from '../src/domain/messages/score-message.ts';
import { createMetrics } from '../src/server/metrics.ts';
import { addScrapedMetrics } from '../src/server/serve-metrics.ts';
import type { Services } from '../src/server/wire.ts';
import { root } from './harness/site.ts';
import { readSources, type Source } from './harness/sources.ts';

const page = readFileSync(join(root, 'docs/engineer/operations.md'), 'utf8');

test('docs/engineer/operations.md explains every log event, and no others', () => {
  const sources = readSources();
  const stored = sources.filter(({ path }) => path.includes('/api/')).flatMap(readStored);
  const events = new Set(sources.flatMap(source => readEvents(source, stored)));
  expect([...events]).toEqual(
    expect.arrayContaining(['request', 'message not stored', 'delivery unconfirmed']),
  );
  const [, table = ''] = page.split(/^## Log events$/m);
  const explained = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, event]) => event);
  expect(explained.toSorted()).toEqual([...events].toSorted());
});

test('docs/engineer/operations.md names every metric of ours, and no others', () => {
  const metrics = createMetrics();
  addScrapedMetrics({ metrics, store: {} } as Services);
  const known = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  const named = (page.match(/\b(wardhouse|process|nodejs)_[a-z0-9_]+\b/g) ?? []).map(name =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );
  expect(named.filter(name => !known.includes(name))).toEqual([]);
  expect(known.filter(name => name.startsWith('wardhouse_') && !named.includes(name))).toEqual([]);
});

test('docs/engineer/operations.md gives every quarantine reason with its weight', () => {
  const [, section = ''] = page.split(/^## Quarantine$/m);
  const rows = [...section.matchAll(/^\| (`[^|]+`) \| ([\d, ]+) \|/gm)];
  const documented = rows.flatMap(([, names = '', adds = '']) => {
    const each = adds.split(', ').map(Number);
    return names.split(', ').map((name, index) => [name.replaceAll('`', ''), each[index]]);
  });
  expect(Object.fromEntries(documented)).toEqual(weights);
});

test('these checks find an event in any notation', () => {
  const text = `log.warn('a', {}); deps.log[level]('b'); log.info(x === 'c' ? 'd' : 'e'); math.log('f'); report('g', 'h'); log.isEnabled('i');
    log.error(\`\${what} not stored\`);`;
  const found = ['a', 'b', 'd', 'e', 'g', 'shoe not stored'];
  expect(readEvents({ path: 'src/cli/a.ts', text }, ['shoe'])).toEqual(found);
  expect(readStored({ path: 'a.ts', text: "tryStore(a, b, 'c'); f({ what: 'd' })" })).toEqual(['c', 'd']);
});

/** The event of every log call, and of `report` in a command, which logs without a terminal. */
function readEvents({ path, text }: Source, stored: string[]): string[] {
  const events: string[] = [];
  new Visitor({
    CallExpression({ callee, arguments: [first, , , fourth] }) {
      const isCount = callee.type === 'Identifier' && callee.name === 'countOrFallback';
      if (isCount && fourth) events.push(...readTexts(fourth as Expression, stored));
      const isSaid = callee.type === 'Identifier' && callee.name === 'report' && path.includes('src/cli/');
      const isLogged =
        callee.type === 'MemberExpression' &&
        lastName(callee.object) === 'log' &&
        lastName(callee) !== 'isEnabled';
      if ((isSaid || isLogged) && first) events.push(...readTexts(first as Expression, stored));
    },
  }).visit(parseSync(path, text).program);
  return events;
}

/** `log` of `log` and `deps.log`; undefined for `log[level]`. */
function lastName(node: Expression): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type !== 'MemberExpression' || node.computed) return undefined;
  return node.property.type === 'Identifier' ? node.property.name : undefined;
}

/** What the API stores, as named in `… not stored` events. */
function readStored({ path, text }: Source): string[] {
  const stored: string[] = [];
  const add = (node: { type: string; value?: unknown } | undefined) =>
    node?.type === 'Literal' && stored.push(String(node.value));
  new Visitor({
    CallExpression({ callee, arguments: [, , third] }) {
      if (callee.type === 'Identifier' && callee.name === 'tryStore') add(third);
    },
    Property({ key, value }) {
      if ('name' in key && key.name === 'what') add(value);
    },
  }).visit(parseSync(path, text).program);
  return stored;
}

function readTexts(node: Expression, stored: string[]): string[] {
  if (node.type === 'Literal') return [String(node.value)];
  if (node.type === 'ConditionalExpression') {
    return [...readTexts(node.consequent, stored), ...readTexts(node.alternate, stored)];
  }
  if (node.type !== 'TemplateLiteral') return [];
  const [before = '', after = ''] = node.quasis.map(({ value }) => value.cooked ?? '');
  return stored.map(what => `${before}${what}${after}`);
}
