import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRepositoryFiles } from './harness/repository-files.ts';
import { findSecrets, isSecretFile } from './harness/secrets.ts';
import { root } from './harness/site.ts';

/** What looks like a secret and is none: 'path: kind' and why. */
const known = new Map<string, string>([]);

test('no file of the repository holds a secret', () => {
  const files = listRepositoryFiles();
  expect(files.length).toBeGreaterThan(300);
  expect(files).toContain('package-lock.json');
  const found = files.flatMap(path => [
    ...(isSecretFile(path) ? [`${path}: a file for secrets`] : []),
    ...findSecrets(readFileSync(join(root, path), 'latin1'))
      .filter(({ kind }) => !known.has(`${path}: ${kind}`))
      .map(({ kind, line, shown }) => `${path}:${line}: ${kind} ${shown}`),
  ]);
  expect(found).toEqual([]);
});

describe('the check finds', () => {
  // Made here: written down, they would be found.
  const bytes = createHash('sha512').update('planted').digest();
  const letters = (length: number) => bytes.toString('base64').replaceAll(/[+/=]/g, 'x').slice(0, length);
  const hex = (length: number) => bytes.toString('hex').slice(0, length);
  const upper = (length: number) => hex(length).toUpperCase();
  const base64 = bytes.toString('base64').slice(0, 64);

  test.each([
    ['private key', `${'-----BEGIN'} PRIVATE KEY-----\n${base64}\n`],
    ['private key', `${'-----BEGIN'} RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${base64}\n`],
    ['private key', `"key": "${'-----BEGIN'} EC PRIVATE KEY-----\\n${base64}\\n"`],
    ['AWS key', `AKIA${upper(16)}`],
    ['GitHub token', `ghp_${letters(36)}`],
    ['GitHub token', `github_pat_${letters(60)}`],
    ['GitLab token', `glpat-${letters(20)}`],
    ['npm token', `npm_${letters(36)}`],
    ['npm token', `//packages.example.org/:_authToken=${letters(20)}`],
    ['Slack token', `xoxb-${letters(24)}`],
    ['Stripe key', `sk_live_${letters(24)}`],
    ['Google key', `AIza${letters(35)}`],
    ['SendGrid key', `SG.${letters(22)}.${letters(43)}`],
    ['Mailgun key', `key-${hex(32)}`],
    ['Telegram token', `123456789:AA${letters(33)}`],
    ['Airtable token', `pat${letters(14)}.${hex(64)}`],
    ['AI provider key', `sk-proj-${letters(40)}`],
    ['signed token', `eyJ${letters(20)}.eyJ${letters(40)}.${letters(40)}`],
    ['webhook secret', `x whsec_${base64}`],
    ['password in an address', `postgres://site:${letters(12)}@db.wardhouse.co.uk:5432/site`],
    ['random text given to a name', `NEWSLETTER_SECRET=${base64}`],
    ['random text given to a name', `const apiKey = '${letters(32)}';`],
    ['random text given to a name', `"password": "${letters(24)}"`],
    ['random text given to a name', `token: ${hex(40)}`],
  ])('a planted %s', (kind, text) => {
    expect(findSecrets(`first line\n${text}\nlast line`)).toContainEqual(
      expect.objectContaining({ kind, line: 2 }),
    );
  });

  test('files for secrets, and not those that explain them', () => {
    const kept = [
      '.env',
      'deploy/.env.production',
      'a/server.key',
      'tls.pem',
      '.ssh/id_ed25519',
      'owner.p12',
    ];
    expect(kept.filter(isSecretFile)).toEqual(kept);
    expect(['.env.example', 'src/api/token.ts', 'src/lib/keyed-hash.ts'].filter(isSecretFile)).toEqual([]);
  });

  test('nothing in words, places for a value, and values that are plainly made for tests', () => {
    const harmless = [
      'const token = createSignedTokenGenerator2(keys);',
      'SMTP_URL=smtp://user:password@mail.example.com:587',
      'NEWSLETTER_WEBHOOK_SECRET="whsec_$(openssl rand -base64 32)"',
      `secret: 'whsec_${'*'.repeat(40)}'`,
      `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      `${'-----BEGIN'} PRIVATE KEY-----`,
      "password: 'correct-horse-battery-staple'",
      '"integrity": "sha512-not-a-secret"',
    ];
    expect(harmless.flatMap(findSecrets)).toEqual([]);
  });
});
