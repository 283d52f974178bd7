import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Config, readConfig } from '../../src/apps/server/config.ts';
import { serve } from '../../src/apps/server/serve.ts';
import { type ServiceOverrides, wire } from '../../src/apps/server/wire.ts';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import { headerSettings } from '../../src/core/http/headers.ts';
import { loadFiles } from '../../src/core/http/static-files.ts';
import { createLog, type Log } from '../../src/core/log.ts';
import { audit } from '../../src/features/audit/feature.ts';
import { messages } from '../../src/features/messages/feature.ts';
import { newsletter } from '../../src/features/newsletter/feature.ts';

export const root = resolve(import.meta.dirname, '../..');
/** The tests' own build: dist/ may be built for another URL. */
export const builtSite = join(root, '.cache/test-dist');

export type WiredSite = Awaited<ReturnType<typeof wireSite>>;

/** The parts of a site, its store with the queries of the running features. */
export async function wireSite(config: Config, overrides: Partial<ServiceOverrides> = {}) {
  const services = await wire(config, overrides);
  const { messages: stored } = services.started.get(messages);
  const { audits } = services.started.get(audit);
  const ofNewsletter = services.started.get(newsletter);
  const { signUps, subscribers, consentTexts, newsletterIssues, newsletterKeys } = ofNewsletter;
  const queries = { messages: stored, signUps, subscribers, consentTexts, newsletterIssues };
  return {
    ...services,
    newsletter: ofNewsletter.newsletter,
    store: { ...services.store, ...queries },
    domainDeps: { ...services.domainDeps, ...queries, issues: newsletterIssues, newsletterKeys, audits },
  };
}

export type TestSite = WiredSite & { origin: string; lines: string[] };

/** The real server on a free port of this machine, with a data folder of its own. */
export async function startSite(
  env: Record<string, string> = {},
  overrides: Partial<ServiceOverrides> = {},
  outDir = builtSite,
): Promise<TestSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wardhouse-'));
  const { log, lines } = collectLog();
  const config = testConfig({ DATA_DIR: dataDir, ...env });
  const files = loadFiles(outDir, headerSettings(config));
  const wired = await wireSite(config, { log, findBuild: () => outDir, ...overrides });
  const running = await serve(wired, files);
  return {
    ...wired,
    lines,
    origin: `http://127.0.0.1:${running.port}`,
    async [Symbol.asyncDispose]() {
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A clock that a test moves: the clock guard accepts it, and leases use it. */
export function withTrustedClock(clock: Clock): Pick<ServiceOverrides, 'clock' | 'clockGuard'> {
  return {
    clock,
    clockGuard: { describeClockSkew: async () => undefined, leaseTime: async () => clock.now() },
  };
}

/** No resolver is there: an audit connects to nothing. */
const offline = { AUDIT_DNS: '127.0.0.1:9' };

export function testConfig(env: Record<string, string>): Config {
  const result = readConfig({ PORT: '0', RATE_LIMIT: 'off', MIN_FREE_DISK_MB: '0', ...offline, ...env });
  if ('errors' in result) throw new Error(result.errors.join('\n'));
  return result.config;
}

export function collectLog(): { log: Log; lines: string[] } {
  const lines: string[] = [];
  const log = createLog({
    clock: systemClock,
    level: 'debug',
    style: 'json',
    write: line => lines.push(line),
  });
  return { log, lines };
}
