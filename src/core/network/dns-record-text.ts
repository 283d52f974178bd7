import type { CaaData, DnskeyData, DsData, MxData, SoaData, TlsaData } from 'dns-packet';
import type { DnsRecordType } from './network.ts';

/** The data of a record as a zone file writes it. */
export function formatRecord(type: DnsRecordType, data: unknown): string {
  switch (type) {
    case 'MX': {
      const { preference = 0, exchange } = data as MxData;
      return `${preference} ${formatName(exchange)}`;
    }
    case 'TXT':
      return [data as Buffer | Buffer[]]
        .flat()
        .map(text => `"${text}"`)
        .join(' ');
    case 'CAA': {
      const { flags = 0, tag, value } = data as CaaData;
      return `${flags} ${tag} "${value}"`;
    }
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = data as SoaData;
      return [formatName(mname), formatName(rname), serial, refresh, retry, expire, minimum].join(' ');
    }
    case 'TLSA': {
      const { usage, selector, matchingType, certificate } = data as TlsaData;
      return `${usage} ${selector} ${matchingType} ${certificate.toString('hex')}`;
    }
    case 'DS': {
      const { keyTag, algorithm, digestType, digest } = data as DsData;
      return `${keyTag} ${algorithm} ${digestType} ${digest.toString('hex')}`;
    }
    case 'DNSKEY': {
      const { flags, algorithm, key } = data as DnskeyData;
      return `${flags} 3 ${algorithm} ${key.toString('base64')}`;
    }
    case 'CNAME':
    case 'NS':
      return formatName(data as string);
    case 'A':
    case 'AAAA':
      return data as string;
  }
}

function formatName(name: string): string {
  return name.endsWith('.') ? name : `${name}.`;
}
