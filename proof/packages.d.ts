// The packages of proof/package.json, for `tsc` in a clone where only the product is installed.
declare module 'autocannon' {
  type Result = { duration: number; errors: number; non2xx: number };
  type Answered = (client: unknown, status: number, bytes: number, ms: number) => void;
  export default function autocannon(
    options: Record<string, unknown>,
  ): Promise<Result> & { on(event: 'response', answered: Answered): void };
}
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
