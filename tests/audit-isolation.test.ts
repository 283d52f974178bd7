import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../src/core/clock.ts';
import { type AuditRunner, createAuditRunner } from '../src/features/audit/requests/audit-runner.ts';
import type { AuditReport } from '../src/features/audit/run-audit.ts';
import { limitFinding } from '../src/features/audit/terms.ts';
import { type AuditedDomain, startAuditedDomains } from './fakes/audited-domains.ts';
import { createDiffieHellman, createFlood, createLongChain, listenLocally } from './fakes/hostile-servers.ts';
import { fakeIps } from './fakes/internet.ts';
import { readGrading } from './fakes/local-audits.ts';
import { createSmtpServer } from './fakes/smtp-server.ts';
import { collectLog, root } from './harness/site.ts';

const { oldWeb, ancientWeb, plainWeb, elsewhere, plainMail } = fakeIps;
const at = (ip: string) => ({ A: [ip], AAAA: [] });
const repeat = (count: number, text: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => text(at));

const hostile: AuditedDomain[] = [
  {
    name: 'base.com',
    page: `<base href="http://${'a'.repeat(250_000)}.com/">${'<img src=a>'.repeat(19_990)}`,
  },
  {
    name: 'letters.com',
    page: repeat(
      40,
      at => `<script src="//${String.fromCodePoint(0x4e00 + at)}${'ü'.repeat(5400)}.com">`,
    ).join('</script>'),
  },
  {
    name: 'tlsa.com',
    records: { '_25._tcp.mail': { TLSA: repeat(900, at => `3 1 1 ${at.toString(16).padStart(8, '0')}`) } },
  },
  { name: 'chain.com', records: { '@': at(ancientWeb) } },
  { name: 'numbers.com', records: { '@': at(oldWeb), mail: at(plainMail) } },
  { name: 'empty.com', records: { '@': at(plainWeb) } },
  { name: 'keys.com', records: { '@': at(elsewhere) } },
];

/** A check that our limits end; of the others, none. */
const ended: Record<string, string> = { 'chain.com': 'web-certificate', 'tlsa.com': 'mail-dane' };

const maxRounds = 4;

const stack = new AsyncDisposableStack();
let runner: AuditRunner;
beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wardhouse-'));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const internet = stack.use(await startAuditedDomains([{ name: 'honest.com' }, ...hostile]));
  const numbers = createDiffieHellman('numbers.com');
  const ports = {
    ...internet.reach.ports,
    [`${ancientWeb}:443`]: await listenLocally(createTlsServer(createLongChain('chain.com')), stack),
    [`${oldWeb}:443`]: await listenLocally(createTlsServer(numbers), stack),
    [`${plainWeb}:443`]: await listenLocally(createFlood('empty.com', 'empty records'), stack),
    [`${elsewhere}:443`]: await listenLocally(createFlood('keys.com', 'new keys'), stack),
    [`${plainMail}:25`]: stack.use(await createSmtpServer({ encryption: 'starttls', tls: numbers })).port,
  };
  const program = { file: join(folder, 'audit-process.mjs'), grading: readGrading() };
  const bundle = await rolldown({ input: join(root, 'tests/fakes/audited-process.ts'), platform: 'node' });
  await bundle.write({ file: program.file });
  runner = createAuditRunner({
    ...{ log: collectLog().log, clock: systemClock, settings: { ...internet.reach, ports }, priority: 0 },
    findProgram: () => program,
  });
  stack.defer(() => runner.close());
  await audit('honest.com');
}, 60_000);
afterAll(() => stack.disposeAsync());

test.each(hostile.map(({ name }) => name))(
  '%s takes nothing from an audit beside it',
  async name => {
    const times: Record<'quiet' | 'disturbed', number[]> = { quiet: [], disturbed: [] };
    const isSlower = () => Math.min(...times.disturbed) > 1.5 * Math.max(...times.quiet);
    // Other programs disturb a measurement now and then; a hostile server that takes time from others does so each time.
    for (let round = 0; round < maxRounds && (round === 0 || isSlower()); round += 1) {
      const quiet = await audit('honest.com');
      const [disturbed, report] = await Promise.all([audit('honest.com'), audit(name)]);
      times.quiet.push(quiet.ms);
      times.disturbed.push(disturbed.ms);
      expect(disturbed.results.filter(({ status }) => status !== 'passed')).toEqual([]);
      const limited = report.results.filter(({ finding }) => finding === limitFinding);
      const names = limited.map(({ check }) => check);
      if (ended[name]) expect(names).toContain(ended[name]);
      else expect(names).toEqual([]);
    }
    expect(isSlower(), JSON.stringify(times)).toBe(false);
  },
  60_000,
);

async function audit(domain: string): Promise<AuditReport & { ms: number }> {
  const started = performance.now();
  for await (const event of runner.run(domain))
    if (event.type === 'report') return { ...event.report, ms: performance.now() - started };
  throw new Error(`no report of ${domain}`);
}
