import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { readContent } from '../../apps/content.ts';
import { getGrading } from './get-grading.ts';
import { gradeResults } from './grade.ts';
import { checks } from './list-checks.ts';
import { createResult } from './run-audit.ts';

const { content } = readContent(join(root, 'content'));
if (!content) throw new Error('content/ has errors');
const grading = getGrading(content.audit);

/** What a domain without faults is graded when these checks find something else. */
function grade(findings: Record<string, string>) {
  const results = checks.map(check => {
    const passed = Object.keys(check.findings).find(finding => check.findings[finding] === 'passed') ?? '';
    return createResult(check, { finding: findings[check.id] ?? passed });
  });
  return gradeResults(results, grading);
}

test.each<[grade: string, findings: Record<string, string>, caps: string[], first: string[]]>([
  ['A', {}, [], []],
  ['E', { 'web-certificate': 'expired' }, ['no-trusted-https'], ['web-certificate']],
  ['E', { 'web-certificate': 'self-signed' }, ['no-trusted-https'], ['web-certificate']],
  ['A', { 'web-certificate': 'expires-soon' }, [], ['web-certificate']],
  ['A', { 'web-certificate': 'not-measurable' }, [], []],
  ['E', { 'web-https': 'unreachable' }, ['no-trusted-https'], ['web-https']],
  ['E', { 'web-https': 'leaves-https' }, ['no-trusted-https'], ['web-https']],
  ['A', { 'web-https': 'no-website' }, [], []],
  ['E', { 'web-tls-versions': 'only-old' }, ['no-trusted-https'], ['web-tls-versions']],
  ['D', { 'mail-spf': 'everyone' }, ['everyone-may-send'], ['mail-spf']],
  ['A', { 'mail-spf': 'open' }, [], ['mail-spf']],
  ['A', { 'mail-spf': 'none' }, [], ['mail-spf']],
  ['D', { 'mail-spf': 'none', 'mail-dmarc': 'none' }, ['neither-spf-nor-dmarc'], ['mail-spf', 'mail-dmarc']],
  [
    'D',
    { 'mail-spf': 'broken', 'mail-dmarc': 'several' },
    ['neither-spf-nor-dmarc'],
    ['mail-spf', 'mail-dmarc'],
  ],
  ['F', { 'names-dnssec': 'bogus' }, ['bogus-signatures'], ['names-dnssec']],
  [
    'E',
    { 'mail-spf': 'everyone', 'web-certificate': 'expired', 'names-dangling': 'dangling' },
    ['no-trusted-https', 'everyone-may-send'],
    ['web-certificate', 'mail-spf', 'names-dangling'],
  ],
])('%s for %j', (expected, findings, caps, first) => {
  expect(grade(findings)).toMatchObject({ grade: expected, caps, first });
});

test('a fault limits no grade that is worse already', () => {
  const worst = checks.flatMap(({ id, findings }) => {
    const finding = Object.keys(findings).find(one => ['missing', 'failed'].includes(findings[one] ?? ''));
    return finding ? [[id, finding]] : [];
  });
  expect(grade({ ...Object.fromEntries(worst), 'web-certificate': 'expired' })).toMatchObject({
    grade: 'F',
    caps: [],
  });
});
