import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../src/apps/server/app.ts';
import { addScrapedMetrics } from '../src/apps/server/serve-metrics.ts';
import { listKinds } from '../src/core/http/create-app.ts';
import { createMetrics } from '../src/core/http/metrics.ts';
import { counters } from '../src/features.ts';
import { maxImageMb, maxImageMegapixels } from '../src/lib/image-limits.ts';
import { formatCommands } from './harness/commands-document.ts';
import { readSources } from './harness/repository-files.ts';
import { root, type WiredSite } from './harness/site.ts';

const read = (name: string) => readFileSync(join(root, 'docs/engineer', name), 'utf8');
const page = read('operations.md');

test('docs/engineer/operations.md explains every log event, and no others', () => {
  const sources = readSources()
    .map(({ text }) => text)
    .join('\n');
  const calls = sources.matchAll(/\blog(?:\.(?:debug|info|warn|error)|\[level\])\(\s*'([^']+)'/g);
  const events = Array.from(calls, ([, event]) => event);
  expect(events.length).toBeGreaterThan(40);
  const [, table = ''] = page.split(/^## Log events$/m);
  const explained = Array.from(table.matchAll(/^\| `([^`]+)` \|/gm), ([, event = '']) => event);
  expect(explained).toEqual(expect.arrayContaining(events));
  // The API puts the name of what it could not store before 'not stored'.
  const isLogged = (event: string) =>
    [event, event.replace(/ not stored$/, '')].some(text => sources.includes(`'${text}'`));
  expect(explained.filter(event => !isLogged(event))).toEqual([]);
});

test('docs/engineer/operations.md names every metric of ours, and no others', () => {
  const metrics = createMetrics(listKinds(endpoints), counters);
  addScrapedMetrics({ metrics, store: {} } as WiredSite);
  const known = metrics.registry.getMetricsAsArray().map(({ name }) => name);
  const named = (page.match(/\b(wardhouse|process|nodejs)_[a-z0-9_]+\b/g) ?? []).map(name =>
    name.replace(/_(bucket|sum|count)$/, ''),
  );
  expect(named.filter(name => !known.includes(name))).toEqual([]);
  expect(known.filter(name => name.startsWith('wardhouse_') && !named.includes(name))).toEqual([]);
});

test('docs/owner/commands.md is written from the actions: npm run test:watch -- run tests/docs -u', async () => {
  await expect(await formatCommands()).toMatchFileSnapshot(join(root, 'docs/owner/commands.md'));
});

test('docs/owner/editing.md says how large a picture may be', () => {
  const guide = readFileSync(join(root, 'docs/owner/editing.md'), 'utf8').replaceAll('\n', ' ');
  const limits = [...guide.matchAll(/up to (\d+) MB and (\d+) million pixels/g)].map(found =>
    found.slice(1).map(Number),
  );
  expect(limits).toEqual([[maxImageMb, maxImageMegapixels]]);
});

test('docs/engineer/security.md names only existing files', () => {
  const named = [...read('security.md').matchAll(/`([^`\s*=]+)`/g)].map(([, name = '']) => name);
  const files = named.filter(name =>
    /^(src|tests|proof|docs|deploy|content)\/|^\.?[\w-]+\.(json|example)$/.test(name),
  );
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter(path => !existsSync(join(root, path)))).toEqual([]);
});
