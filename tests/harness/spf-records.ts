import { NetworkError } from '../../src/core/network/network-error.ts';
import { readSpf } from '../../src/features/audit/spf.ts';
import type { Zone } from '../fakes/dns-server.ts';
import { createZoneDns } from './zone-dns.ts';

/** What receivers answer for a mail from an address that the record does not list. */
export type SpfVerdict = 'refused' | 'neutral' | 'pass' | 'permerror' | 'temperror' | 'none';

export const spfDomain = 'spf.example';
const gone = ['a:gone1.example', 'a:gone2.example', 'a:gone3.example'];

/** By verdict, which pyspf and mailauth confirm in proof/. An array is several TXT records. */
const byVerdict: Record<SpfVerdict, (string | string[])[]> = {
  refused: [
    'v=spf1 -all',
    'V=SPF1 ~ALL',
    'v=spf1  mx   -all ',
    'v=spf1 a mx a:www.spf.example mx:spf.example/24//64 -all',
    'v=spf1 ip4:192.0.2.1 ip4:192.0.2.0/24 ip6:2001:db8::1 ip6:2001:db8::/32 -all',
    'v=spf1 ip4:192.0.2.1/32 ip6:2001:db8::1/128 a/32//128 -all',
    'v=spf1 include:listed.example -all',
    'v=spf1 include:listed.example. -all',
    'v=spf1 include:LISTED.example ~all',
    'v=spf1 redirect=listed.example',
    'v=spf1 redirect=listed.example.',
    'v=spf1 ptr ptr:spf.example -all',
    'v=spf1 exists:%{ir}.%{v}._spf.%{d2} -all',
    'v=spf1 include:neutral.example -all',
    'v=spf1 -include:pass.example ?all',
    'v=spf1 -all exp=explain.%{d}',
    'v=spf1 -all unknown=thing',
    'v=spf1 -all redirect=gone1.example',
    `v=spf1 -all ${gone.join(' ')}`,
    `v=spf1 ${gone.slice(0, 2).join(' ')} -all`,
    `v=spf1 ${'a:www.spf.example '.repeat(10)}-all`,
    ['some-verification=1', 'v=spf1 -all'],
    'v=spf1 include:_part.%{d} -all',
  ],
  neutral: ['v=spf1', 'v=spf1 ?all', 'v=spf1 mx', 'v=spf1 redirect=neutral.example'],
  pass: [
    'v=spf1 +all',
    'v=spf1 all',
    'v=spf1 include:pass.example -all',
    'v=spf1 ip4:192.0.2.1/0 -all',
    'v=spf1 a:www.spf.example/0 -all',
    'v=spf1 exists:www.spf.example -all',
    'v=spf1 redirect=pass.example',
  ],
  permerror: [
    ['v=spf1 -all', 'v=spf1 mx -all'],
    'v=spf1 ipv4:192.0.2.1 -all',
    'v=spf1 ip4:192.0.2.256 -all',
    'v=spf1 ip4:192.0.02.1 -all',
    'v=spf1 ip4:192.0.2.0/33 -all',
    'v=spf1 ip4:192.0.2.0/024 -all',
    'v=spf1 ip6:2001:db8::/129 -all',
    'v=spf1 a/33 -all',
    'v=spf1 a//129 -all',
    'v=spf1 mx/33 -all',
    'v=spf1 include:listed.example/24 -all',
    'v=spf1 redirect=listed.example redirect=listed.example',
    'v=spf1 -all exp=a.example exp=b.example',
    'v=spf1 exists:%{z}.spf.example -all',
    'v=spf1 a:%{d -all',
    'v=spf1 a:%d.example -all',
    'v=spf1 mx\t-all',
    'v=spf1 mx\u00a0-all',
    'v=spf1 include:gone1.example -all',
    'v=spf1 include: -all',
    'v=spf1 include -all',
    'v=spf1 include:broken.example -all',
    'v=spf1 redirect=gone1.example',
    'v=spf1 a:localhost -all',
    'v=spf1 a:192.0.2.1 -all',
    'v=spf1 all:listed.example',
    'v=spf1 mx; -all',
    'v=spf1 mx, -all',
    `v=spf1 ${gone.join(' ')} -all`,
    'v=spf1 mx:gone1.example exists:gone2.example a:gone3.example -all',
    'v=spf1 include:voids.example a:gone3.example -all',
    `v=spf1 ${'a:www.spf.example '.repeat(11)}-all`,
    'v=spf1 include:spf.example -all',
  ],
  temperror: ['v=spf1 include:failing.example -all', 'v=spf1 a:failing.example -all'],
  none: ['v=spf10 -all', 'v=spf1-all', 'some-verification=1'],
};

export const spfRecords = Object.entries(byVerdict).flatMap(([verdict, records]) =>
  records.map(record => ({ verdict: verdict as SpfVerdict, texts: [record].flat() })),
);

/** Everything that the records lead to, and the records at `spfDomain`. */
export function createSpfZone(texts: readonly string[], domain = spfDomain): Zone {
  const other = (record: string) => ({ TXT: [record] });
  return {
    [domain]: { A: ['192.0.2.10'], MX: ['10 mail.spf.example'], TXT: [...texts] },
    'www.spf.example': { A: ['192.0.2.10'], AAAA: ['2001:db8::10'] },
    'mail.spf.example': { A: ['192.0.2.20'] },
    [`_part.${domain}`]: other('v=spf1 ip4:192.0.2.30 -all'),
    'listed.example': other('v=spf1 ip4:192.0.2.1 -all'),
    'neutral.example': other('v=spf1 ?all'),
    'pass.example': other('v=spf1 +all'),
    'broken.example': other('v=spf1 ip4:192.0.2.1/33 -all'),
    'voids.example': other(`v=spf1 ${gone.slice(0, 2).join(' ')} -all`),
    'failing.example': { TXT: ['SERVFAIL'], A: ['SERVFAIL'], AAAA: ['SERVFAIL'] },
  };
}

/** The verdict of receivers that one of our findings stands for. */
export function toSpfVerdict(finding = 'present'): SpfVerdict {
  const verdicts: Partial<Record<string, SpfVerdict>> = {
    ...{ present: 'refused', none: 'none', open: 'neutral', everyone: 'pass' },
  };
  return verdicts[finding] ?? 'permerror';
}

export async function judgeSpf(domain: string, zone: Zone): Promise<SpfVerdict> {
  try {
    const { fault } = await readSpf(domain, createZoneDns(zone));
    return toSpfVerdict(fault?.finding);
  } catch (error) {
    if (error instanceof NetworkError) return 'temperror';
    throw error;
  }
}
