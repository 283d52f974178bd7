import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContent } from '../src/apps/content.ts';
import { formatReport } from '../src/features/audit/format-report.ts';
import type { AuditReport } from '../src/features/audit/run-audit.ts';
import { fakeReport } from './fakes/audit-runner.ts';
import { createDnsServer } from './fakes/dns-server.ts';
import { runCommand } from './harness/command.ts';
import { disposeAfterAll } from './harness/dispose-after-all.ts';
import { findControlCharacters } from './harness/injection-checks.ts';
import { root } from './harness/site.ts';

// Names are answered by a resolver on this machine, which is exempt from the rule on addresses; a connection to
// 192.0.2.1 would be one to a forbidden address.
const dns = await disposeAfterAll(
  createDnsServer({
    'example.com': {
      A: ['192.0.2.1'],
      MX: ['mail.example.com'],
      TXT: ['v=spf1 \x1b[2J\u202e\nGrade A ?all'],
      NS: ['ns1.example.com'],
    },
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=none'] },
    'denied.example.com': { A: ['192.0.2.1'] },
  }),
);

const audit = (args: string[], env: Record<string, string> = {}) =>
  runCommand('src/apps/cli/audit.ts', args, { AUDIT_DNS: dns.address, ...env });

test('prints grade, first steps and each check in plain words, with collected text made harmless', async () => {
  const { code, out, err } = await audit(['https://www.example.com/path']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatch(/^example\.com\nGrade [A-F], \d+ of 100 points\. /);
  expect(out).toContain('Do these first:');
  expect(out).toMatch(/Attention +Spoofing protection \(DMARC\): The policy only watches/);
  expect(out).toMatch(/Not measurable +Encrypted website/);
  expect(out).toContain('example.com has an address that is not public');
  expect(findControlCharacters(out)).toEqual([]);
  expect(out.split('\n').filter(line => line.startsWith('Grade'))).toHaveLength(1);
});

test('prints why the grade is worse than the points', () => {
  const { content = expect.unreachable() } = readContent(join(root, 'content'));
  const report = { ...fakeReport('example.com', new Date(0)), caps: ['no-trusted-https'] };
  const { reason = '' } = content.audit.caps['no-trusted-https'] ?? {};
  expect(formatReport(content.audit, report).slice(1, 3)).toEqual([
    'Grade E, 50 of 100 points.',
    `E at best: No trusted HTTPS. ${reason}`,
  ]);
});

test('--json prints the report', async () => {
  const { code, out } = await audit(['example.com', '--json'], { SITE_URL: 'https://example.com' });
  const { domain, results }: AuditReport = JSON.parse(out);
  expect([code, domain]).toEqual([0, 'example.com']);
  expect(results).toContainEqual(expect.objectContaining({ check: 'mail-spf', finding: 'broken' }));
});

test.each<[domain: string, code: number, message: RegExp]>([
  ['localhost', 2, /^Error: 'localhost' is not a public domain/],
  ['a.denied.example.com', 1, /in AUDIT_DENY/],
  ['gone.example.net', 1, /nothing could be measured: check the spelling of gone\.example\.net/],
])('%s ends with an error', async (domain, code, message) => {
  const result = await audit([domain], { AUDIT_DENY: 'denied.example.com' });
  expect(result).toMatchObject({ code, err: expect.stringMatching(message) });
});
