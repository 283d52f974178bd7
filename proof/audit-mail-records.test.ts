import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import getDmarcRecord from 'mailauth/lib/dmarc/get-dmarc-record.js';
import { spf } from 'mailauth/lib/spf/index.js';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { isQueryName } from '../src/core/network/dns-client.ts';
import type { Zone } from '../tests/fakes/dns-server.ts';
import { dmarcRecords } from '../tests/harness/dmarc-records.ts';
import { createSpfZone, judgeSpf, spfDomain, spfRecords } from '../tests/harness/spf-records.ts';
import { named } from './programs.ts';

type Case = { domain: string; zone: Zone };

/** An address that no record of ours or of OpenSPF lists. */
const unlisted = '203.0.113.199';
const python = ['python3', '/usr/bin/python3'].find(
  file => spawnSync(file, ['-c', 'import spf']).status === 0,
);
/** Of Debian's python3-spf; another copy is named in OPENSPF_CASES. */
const openSpfFile = process.env.OPENSPF_CASES ?? '/usr/share/doc/python3-spf/rfc7208-tests.yml.gz';
const hasOpenSpf = existsSync(openSpfFile);

/** We judge a mail from an address that is not listed, and report what lets a whole address family pass. */
const openSpfDifferences = [
  ...['a-cidr4-0-ip6', 'a-cidr6-0-ip4', 'a-cidr6-0-ip4mapped'],
  ...['mx-cidr4-0-ip6', 'mx-cidr6-0-ip4', 'mx-cidr6-0-ip4mapped', 'cidr6-0-ip4', 'cidr6-ip4'],
  // Their mail comes from an address that is listed.
  ...['ip4-mapped-ip6', 'include-at-limit'],
];

describe('our records', () => {
  const cases = spfRecords.map(({ texts }) => ({ domain: spfDomain, zone: createSpfZone(texts) }));
  const verdicts = spfRecords.map(({ verdict }) => verdict);

  test.skipIf(!python)(named('as pyspf judges them', Boolean(python), 'python3-spf'), () => {
    expect(listDifferences(verdicts, askPyspf(cases))).toEqual([]);
  });

  test('as mailauth judges them', async () => {
    expect(listDifferences(verdicts, await Promise.all(cases.map(askMailauth)))).toEqual([]);
  });

  function listDifferences(ours: string[], theirs: string[]): string[] {
    const differences = ours.flatMap((verdict, at) =>
      verdict === theirs[at]
        ? []
        : [`${spfRecords[at]?.texts.join(' | ')}: ${verdict}, theirs ${theirs[at]}`],
    );
    process.stdout.write(`${ours.length} records, ${differences.length} judged in another way\n`);
    return differences;
  }
});

test('our DMARC records as mailauth judges them', async () => {
  for (const [state, records] of Object.entries(dmarcRecords))
    for (const record of records) {
      const found = await getDmarcRecord('example.com', async () => [[record]], { strict: true });
      const policy = found ? (getDmarcRecord.getPolicyTags(found)?.p ?? 'none') : 'none';
      expect([record, policy !== 'none']).toEqual([record, state === 'protected']);
    }
});

test.skipIf(!hasOpenSpf)(named("OpenSPF's cases for RFC 7208", hasOpenSpf, 'python3-spf'), async () => {
  const cases = readOpenSpfCases();
  const differences: string[] = [];
  for (const { id, results, ...one } of cases) {
    const ours = await judgeSpf(one.domain, one.zone);
    // A mail from a listed address: the record is at least one that receivers use.
    const isUsed = results.includes('pass') && !['permerror', 'temperror', 'none'].includes(ours);
    if (!isUsed && !results.includes(ours)) differences.push(id);
  }
  process.stdout.write(`${cases.length} cases of OpenSPF, ${differences.length} judged in another way\n`);
  expect(differences.toSorted()).toEqual(openSpfDifferences.toSorted());
});

type OpenSpfValue = string | [number, string] | string[];
type OpenSpfDocument = {
  tests: Record<string, { mailfrom: string; helo: string; result: string | string[] }>;
  zonedata: Record<string, ('TIMEOUT' | Record<string, OpenSpfValue>)[]>;
};

function readOpenSpfCases(): (Case & { id: string; results: string[] })[] {
  const file = readFileSync(openSpfFile);
  const text = (openSpfFile.endsWith('.gz') ? gunzipSync(file) : file).toString();
  return parseAllDocuments(text, { version: '1.1' }).flatMap(document => {
    const { tests, zonedata } = document.toJS() as OpenSpfDocument;
    const zone = Object.fromEntries(
      Object.entries(zonedata).map(([name, values]) => [name.toLowerCase(), toZoneEntry(values)]),
    );
    return Object.entries(tests).flatMap(([id, { mailfrom, helo, result }]) => {
      const domain = (mailfrom.split('@').at(-1) || helo).toLowerCase();
      // We are asked for names that exist only.
      return isQueryName(domain) && domain.includes('.')
        ? [{ id, domain, zone, results: [result].flat().map(toVerdict) }]
        : [];
    });
  });
}

/** SPF stands for a TXT record, unless there is one of its own. */
function toZoneEntry(values: OpenSpfDocument['zonedata'][string]): Zone[string] {
  const entry: Record<string, string[]> = {};
  const add = (type: string, value: string) => (entry[type] = [...(entry[type] ?? []), value]);
  const records = values.flatMap(value => (typeof value === 'string' ? [] : Object.entries(value)));
  const hasText = records.some(([type]) => type === 'TXT');
  for (const [type, value] of records) {
    if (value === 'NONE') continue;
    if (value === 'TIMEOUT') add(type, 'SERVFAIL');
    else if (type === 'TXT' || (type === 'SPF' && !hasText)) add('TXT', [value].flat().join(''));
    else add(type, [value].flat().join(' '));
  }
  if (values.includes('TIMEOUT')) for (const type of ['TXT', 'A', 'AAAA', 'MX']) entry[type] ??= ['SERVFAIL'];
  return entry;
}

function askPyspf(cases: Case[]): string[] {
  const { stdout, stderr, status } = spawnSync(python ?? '', [join(import.meta.dirname, 'judge-spf.py')], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout).map(toVerdict);
}

async function askMailauth({ domain, zone }: Case): Promise<string> {
  const fail = (code: string) => Object.assign(new Error(code), { code });
  const resolver = async (name: string, type: string) => {
    const values = zone[name.toLowerCase()]?.[type as 'TXT'] ?? [];
    if (values[0] === 'SERVFAIL') throw fail('ESERVFAIL');
    if (values.length === 0) throw fail('ENODATA');
    if (type === 'TXT') return values.map(text => [text]);
    if (type !== 'MX') return values;
    return values.map(value => ({ priority: Number(value.split(' ')[0]), exchange: value.split(' ')[1] }));
  };
  const { status } = await spf({
    ...{ sender: `postmaster@${domain}`, helo: domain, ip: unlisted, mta: 'mx.example', resolver },
    strict: true,
  });
  return toVerdict(status.result);
}

function toVerdict(result: string): string {
  return result === 'fail' || result === 'softfail' ? 'refused' : result;
}
