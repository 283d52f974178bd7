import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContent } from '../src/apps/content.ts';
import { findCauses } from '../src/features/audit/caps.ts';
import { checks } from '../src/features/audit/list-checks.ts';
import { needsAction } from '../src/features/audit/terms.ts';
import { root } from './harness/site.ts';

const { content } = readContent(join(root, 'content'));
if (!content) throw new Error('content/ has errors');
const { audit } = content;
const words = Object.entries(audit.groups).flatMap(([group, { checks }]) =>
  Object.entries(checks).map(([id, check]) => ({ group, id, ...check })),
);

test('every check and finding has words, and no words are unused', () => {
  const describe = (group: string, id: string, findings: object) =>
    [group, id, ...Object.keys(findings).sort()].join(' ');
  expect(words.map(({ group, id, findings }) => describe(group, id, findings)).sort()).toEqual(
    checks.map(({ group, id, findings }) => describe(group, id, findings)).sort(),
  );
});

test('every fault that limits the grade has words and a best grade, and no words are unused', () => {
  expect(Object.keys(audit.caps).sort()).toEqual(Object.keys(findCauses).sort());
});

test('what needs action has a fix, and what has passed has none', () => {
  for (const { id, findings } of checks)
    for (const [finding, status] of Object.entries(findings)) {
      const { fix } = words.find(one => one.id === id)?.findings[finding] ?? {};
      if (status !== 'not-measurable')
        expect([id, finding, fix !== undefined]).toEqual([id, finding, needsAction(status)]);
    }
});

test('every placeholder is a value that its check reports', () => {
  for (const { id, findings } of words) {
    const source = readFileSync(join(root, `src/features/audit/checks/${id}.ts`), 'utf8');
    for (const [, name] of JSON.stringify(findings).matchAll(/\{(\w+)\}/g))
      if (name !== 'domain')
        expect([id, source]).toEqual([id, expect.stringMatching(`\\b${name}\\b\\s*[,:}]`)]);
  }
});
