// The packages of proof/package.json, for `tsc` in a clone where only the product is installed.
declare module 'puppeteer-core';
declare module 'sirv';
declare module 'mailauth/lib/spf/index.js' {
  export function spf(options: Record<string, unknown>): Promise<{ status: { result: string } }>;
}
declare module 'mailauth/lib/dmarc/get-dmarc-record.js' {
  type DmarcTags = Record<string, unknown>;
  type Resolver = (name: string, type: string) => Promise<string[][]>;
  function getDmarcRecord(domain: string, resolver: Resolver, options: object): Promise<DmarcTags | false>;
  namespace getDmarcRecord {
    function getPolicyTags(record: DmarcTags): { p: string } | null;
  }
  export default getDmarcRecord;
}
