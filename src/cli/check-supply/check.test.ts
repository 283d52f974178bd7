import { describe, expect, test } from 'vitest';
import { checkSupply, exitCodeOf } from './check.ts';
import type { AskNpm, Said } from './npm.ts';
import { readAudit, readSignatures } from './read-answers.ts';

const here = '/site';
const shoe = { name: 'shoe', version: '1.0.0' };
const clean = audit({});
const vulnerable = audit({ shoe: { name: 'shoe', severity: 'high' } });
const signed = said({ invalid: [], missing: [] });
const unreachable = said({
  error: { code: 'ENOTFOUND', summary: 'getaddrinfo ENOTFOUND packages.example.org' },
});

describe('all is clean only when', () => {
  test('both answers are, and the registry knows what it must know', async () => {
    const lines = await checkSupply(npm({ ours: clean, control: vulnerable, signatures: signed }), here);
    expect(lines.map(({ state }) => state)).toEqual(['clean', 'clean']);
    expect(exitCodeOf(lines)).toBe(0);
  });

  test.each<[string, Parameters<typeof npm>[0], string[], number]>([
    ['an advisory', { ours: vulnerable }, ['found', 'clean'], 1],
    [
      'an advisory, and no answer about signatures',
      { ours: vulnerable, signatures: unreachable },
      ['found', 'not checked'],
      1,
    ],
    ['no answer about advisories', { ours: unreachable }, ['not checked', 'clean'], 3],
    ['a registry that never knows of any', { control: clean }, ['not checked', 'clean'], 3],
    ['a registry that is gone when asked again', { control: unreachable }, ['not checked', 'clean'], 3],
    ['no answer about signatures', { signatures: unreachable }, ['clean', 'not checked'], 3],
    ['a wrong signature', { signatures: said({ invalid: [shoe], missing: [] }) }, ['clean', 'found'], 1],
    ['no npm', { ours: { unasked: 'there is no npm here' } }, ['not checked', 'clean'], 3],
  ])('there is not %s', async (_, answers, states, code) => {
    const lines = await checkSupply(npm(answers), here);
    expect(lines.map(({ state }) => state)).toEqual(states);
    expect(exitCodeOf(lines)).toBe(code);
  });
});

test('says what was found, and where', () => {
  expect(readAudit(vulnerable.out)).toMatchObject({ state: 'found', packages: ['shoe (high)'] });
  const many = Array.from({ length: 12 }, (_, index) => ({ name: `p${index}`, version: '1.0.0' }));
  const { found } = readSignatures(JSON.stringify({ invalid: [shoe], missing: many }));
  expect(found).toContain('shoe@1.0.0 (wrong), p0@1.0.0 (missing)');
  expect(found).toContain('and 3 more');
});

test('tells what the server has from what only builds and checks, and names it first', async () => {
  const both = audit({
    tool: { name: 'tool', severity: 'high', nodes: ['node_modules/tool'] },
    shoe: {
      name: 'shoe',
      severity: 'low',
      nodes: ['node_modules/tool/node_modules/shoe', 'node_modules/shoe'],
    },
    sock: { name: 'sock', severity: 'low' },
  });
  const isOfServer = (folder: string) => !folder.startsWith('node_modules/tool');
  const [line] = await checkSupply(npm({ ours: both }), here, isOfServer);
  expect(line?.packages).toEqual(['shoe (low)', 'sock (low)', 'tool (high, not in the server)']);
  expect(line?.found).toContain('3 of 20 packages have advisories, 2 of them in the server: shoe');
});

test('says why it was not checked, as npm does', () => {
  expect(readAudit(JSON.stringify({ message: '405 Method Not Allowed', error: { summary: '' } }))).toEqual({
    state: 'not checked',
    found: '405 Method Not Allowed',
  });
  expect(readSignatures(unreachable.out)).toMatchObject({ state: 'not checked' });
});

test.each(['', 'null', '[]', '{}', '{"metadata":{}}', '<html>', '{"invalid":[]}', '{"error":{}}'])(
  'takes %j for no answer',
  out => {
    expect(readAudit(out).state).toBe('not checked');
    expect(readSignatures(out).state).toBe('not checked');
  },
);

test('takes nothing that was looked at for nothing that was found', () => {
  const none = {
    vulnerabilities: {},
    metadata: { vulnerabilities: { total: 0 }, dependencies: { total: 0 } },
  };
  expect(readAudit(JSON.stringify(none)).state).toBe('not checked');
});

test('a signature that npm cannot accept is a finding, not a gap', () => {
  for (const code of ['EINTEGRITYSIGNATURE', 'EEXPIREDSIGNATUREKEY', 'EMISSINGSIGNATUREKEY'])
    expect(readSignatures(JSON.stringify({ error: { code, summary: 'shoe@1.0.0' } })).state).toBe('found');
});

function npm(answers: { ours?: Said; control?: Said; signatures?: Said }): AskNpm {
  const { ours = clean, control = vulnerable, signatures = signed } = answers;
  return async (args, folder) => (args[1] === 'signatures' ? signatures : folder === here ? ours : control);
}

function said(answer: object): { out: string } {
  return { out: JSON.stringify(answer) };
}

function audit(vulnerabilities: object): { out: string } {
  const total = Object.keys(vulnerabilities).length;
  return said({ vulnerabilities, metadata: { vulnerabilities: { total }, dependencies: { total: 20 } } });
}
