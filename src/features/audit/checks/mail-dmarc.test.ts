import { expect, test } from 'vitest';
import { dmarcRecords } from '../../../../tests/harness/dmarc-records.ts';
import { createStubAuditNetwork } from '../../../../tests/harness/stub-audit-network.ts';
import { createZoneDns } from '../../../../tests/harness/zone-dns.ts';
import { mailDmarc } from './mail-dmarc.ts';

const protects = ['enforced', 'partial', 'testing', 'weak-subdomains'];

test.each(Object.entries(dmarcRecords))('domains with these records are %s', async (state, records) => {
  for (const record of records) {
    const { finding } = await check(record);
    expect([record, finding, protects.includes(finding)]).toEqual([record, finding, state === 'protected']);
  }
});

test.each([
  ['v=dmarc1; p=reject', 'none', undefined],
  ['v=DMARC1; p=reject; pct=many', 'enforced', undefined],
  ['v=DMARC1; p=reject; np=none', 'weak-subdomains', undefined],
  ['v=DMARC1; p=quarantine; t=y', 'testing', undefined],
  ['v=DMARC1; p=reject; sp=block', 'invalid', 'sp=block'],
  ['v=DMARC1; p=none; p=reject', 'invalid', 'p=reject'],
])('%s is %s', async (record, finding, term) => {
  const found = await check(record);
  expect([found.finding, found.values?.term]).toEqual([finding, term]);
});

function check(record: string) {
  const dns = createZoneDns({ '_dmarc.example.com': { TXT: [record] } });
  const network = { ...createStubAuditNetwork({}), dns };
  return mailDmarc.run({ domain: 'example.com', network, now: new Date() });
}
