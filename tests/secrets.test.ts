import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listRepositoryFiles } from './harness/repository-files.ts';
import { root } from './harness/site.ts';

test('no file of the repository contains a secret', () => {
  const files = listRepositoryFiles();
  expect(files.length).toBeGreaterThan(300);
  expect(files).toContain('package-lock.json');
  const found = files.flatMap(path => [
    ...(isSecretFile(path) ? [`${path}: a file for secrets`] : []),
    ...findSecrets(readFileSync(join(root, path), 'latin1')).map(
      ({ kind, line, shown }) => `${path}:${line}: ${kind} ${shown}`,
    ),
  ]);
  expect(found).toEqual([]);
});

describe('the check finds', () => {
  // Made here: written down, they would be found.
  const bytes = createHash('sha512').update('planted').digest();
  const letters = (length: number) => bytes.toString('base64').replaceAll(/[+/=]/g, 'x').slice(0, length);
  const base64 = bytes.toString('base64').slice(0, 64);

  test.each([
    ['private key', `${'-----BEGIN'} RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n${base64}\n`],
    ['GitHub token', `ghp_${letters(36)}`],
    ['secret key of a service', `sk-proj-${letters(40)}`],
    ['webhook secret', `x whsec_${base64}`],
    ['password in an address', `postgres://site:${letters(12)}@db.wardhouse.co.uk:5432/site`],
    ['random text given to a name', `const apiKey = '${letters(32)}';`],
  ])('a planted %s', (kind, text) => {
    expect(findSecrets(`first line\n${text}\nlast line`)).toContainEqual(
      expect.objectContaining({ kind, line: 2 }),
    );
  });
});

type Secret = { kind: string; line: number; shown: string };

/** Formats of known providers: long enough that no word of the repository matches. */
const shapes: [kind: string, RegExp][] = [
  [
    'private key',
    /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s)+(?:[A-Za-z0-9-]+: [^\n]*\s+)*[A-Za-z0-9+/=]{32}/g,
  ],
  ['AWS key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g],
  ['GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{50})/g],
  ['npm token', /\bnpm_[A-Za-z0-9]{36}\b|\b_(?:authToken|auth|password)\s*=\s*[^\s$]{8}/g],
  [
    'Slack token',
    /\bxox[abeoprs]-[A-Za-z0-9-]{16}|hooks\.slack\.com\/services\/T[A-Z0-9]+\/B[A-Z0-9]+\/\w{16}/g,
  ],
  ['Google key', /\bAIza[A-Za-z0-9_-]{35}|\bya29\.[A-Za-z0-9_-]{30}/g],
  ['mail service key', /\bSG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{40}|\bkey-[0-9a-f]{32}\b/g],
  ['Airtable token', /\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}\b/g],
  [
    'secret key of a service',
    /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{20}|\bsk-(?:[a-z0-9]+-)*[A-Za-z0-9_-]{32}/g,
  ],
  ['signed token', /\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10}/g],
];

const webhookSecret = /\bwhsec_([A-Za-z0-9+/]{24,}={0,2})/g;
const password = /\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@'"`<>]*:([^\s/'"`<>$]{3,})@([A-Za-z0-9.-]+)/gi;
/** Names kept for examples, this machine, and the word that stands for a host in a text. */
const nowhere =
  /^(?:(?:.+\.)?example(?:\.(?:com|org|net))?|(?:.+\.)?(?:test|invalid|localhost)|127\.0\.0\.1|host|mail|HOST)$/i;
const assignment =
  /(?:secret|token|passw(?:or)?d|passphrase|api_?key|private_?key|access_?key|credentials?)\w*["']?\]?\s*(?:[:=]|=>)\s*(["'`]?)([A-Za-z0-9+/_.~=-]{16,})(?![\w+/.~=([{-])\1/gi;

/** Text that looks like a real secret. It is shown truncated: a log must not contain it. */
function findSecrets(text: string): Secret[] {
  const found: { kind: string; at: number; value: string }[] = [];
  for (const [kind, shape] of shapes)
    for (const { index, 0: value } of text.matchAll(shape)) found.push({ kind, at: index, value });
  for (const { index, 0: value, 1: encoded = '' } of text.matchAll(webhookSecret))
    if (isRandom(encoded)) found.push({ kind: 'webhook secret', at: index, value });
  for (const { index, 0: value, 2: host = '' } of text.matchAll(password))
    if (!nowhere.test(host)) found.push({ kind: 'password in an address', at: index, value });
  for (const { index, 0: value, 2: given = '' } of text.matchAll(assignment))
    if (isRandom(given)) found.push({ kind: 'random text given to a name', at: index, value });
  return found.map(({ kind, at, value }) => ({
    kind,
    line: text.slice(0, at).split('\n').length,
    shown: `${value.slice(0, 12).replaceAll(/\s/g, ' ')}…`,
  }));
}

/** Files that are secrets by what they are called. */
function isSecretFile(path: string): boolean {
  return /(?:^|\/)(?:\.env(?!\.example$)(?:\..+)?|id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pgpass|\.htpasswd|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk))$/i.test(
    path,
  );
}

/** Random letters and digits: no words, no counting, no name of a function or a path. */
function isRandom(text: string): boolean {
  if (!/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const isHex = /^[0-9a-f-]+$/i.test(text);
  return entropy(text) >= (isHex ? 3 : 3.6);
}

/** Bits in each sign, by how often each comes. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1);
  return [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0);
}
