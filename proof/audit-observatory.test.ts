import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAuditedDomains } from '../tests/fakes/audited-domains.ts';
import type { FakeInternet } from '../tests/fakes/internet.ts';
import { auditDomain } from '../tests/fakes/local-audits.ts';
import { corpus } from '../tests/harness/audit-corpus.ts';
import { runCommand } from '../tests/harness/command.ts';
import type { Observed } from './observatory-scan.ts';

/** Our check for each of the Observatory's ten tests. */
const pairs: Record<string, string> = {
  'content-security-policy': 'web-csp',
  cookies: 'web-cookies',
  'cross-origin-resource-sharing': 'web-cors',
  redirection: 'web-redirect',
  'referrer-policy': 'web-referrer-policy',
  'strict-transport-security': 'web-hsts',
  'subresource-integrity': 'web-subresource-integrity',
  'x-content-type-options': 'web-nosniff',
  'x-frame-options': 'web-framing',
  'cross-origin-resource-policy': 'web-resource-policy',
};

const differences = [
  // A wrong certificate is a finding of its own in our report, and is not counted again.
  'expired.example: web-redirect redirects, Observatory redirection-invalid-cert',
  'wrong-name.example: web-redirect redirects, Observatory redirection-invalid-cert',
  'self-signed.example: web-redirect redirects, Observatory redirection-invalid-cert',
  // This release looks for the Origin that it sent in a field that its HTTP client does not fill.
  'open-cors.example: web-cors everyone, Observatory cross-origin-resource-sharing-implemented-with-restricted-access',
  // We pass no page that we did not read to its end.
  'long-page.example: web-subresource-integrity not-measurable, Observatory sri-not-implemented-but-no-scripts-loaded',
  // Wrong certificates again.
  'untrusted.example: web-redirect redirects, Observatory redirection-invalid-cert',
  'incomplete-chain.example: web-redirect redirects, Observatory redirection-invalid-cert',
];

/** Its TLS refuses a key of 1,024 bits and SHA-1, and here its connections reach HTTPS at every address. */
const notScanned = [
  'weak-key.example',
  'sha1.example',
  'without-https.example',
  'closed-https.example',
  'ancient-tls.example',
];

test("our checks agree with Mozilla's Observatory on the websites of the corpus", async () => {
  await using internet = await startAuditedDomains(corpus);
  const names = corpus.map(({ name }) => name).filter(name => !notScanned.includes(name));
  const differing: string[] = [];
  for (const { address, tests } of await observe(internet, names)) {
    const { results } = await auditDomain(internet, address);
    for (const [theirs, ours] of Object.entries(pairs)) {
      const found = results.find(({ check }) => check === ours);
      const { pass, result = '' } = tests[theirs] ?? {};
      if ((found?.status === 'passed') === pass) continue;
      differing.push(`${address}: ${ours} ${found?.finding}, Observatory ${result}`);
    }
  }
  const pairCount = names.length * Object.keys(pairs).length;
  process.stdout.write(`${names.length} websites, ${pairCount} pairs, ${differing.length} differ:\n`);
  process.stdout.write(`${differing.join('\n')}\n`);
  expect(differing).toEqual(differences);
});

async function observe({ localPorts, authority }: FakeInternet, names: string[]): Promise<Observed[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-observatory-'));
  writeFileSync(join(folder, 'authority.pem'), authority);
  const { code, out, err } = await runCommand('proof/observatory-scan.ts', names, {
    NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem'),
    LOCAL_PORTS: JSON.stringify({ 80: localPorts.http, 443: localPorts.https }),
  });
  rmSync(folder, { recursive: true });
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}
