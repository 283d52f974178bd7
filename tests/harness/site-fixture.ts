import { beforeAll, beforeEach } from 'vitest';
import type { ServiceOverrides } from '../../src/apps/server/wire.ts';
import type { TestDatabase } from './databases.ts';
import { collectLog, testConfig, type WiredSite, wireSite as wire, withTrustedClock } from './site.ts';

type Options = {
  env?: Record<string, string>;
  overrides?: Partial<ServiceOverrides>;
  /** Tables that are emptied before each test. */
  emptied?: string[];
};

/** The services of a site on a new database, without a server. Their time moves only by `fixture.now += ms`. */
export function createSiteFixture(
  create: () => Promise<TestDatabase>,
  { env, overrides, emptied = [] }: Options = {},
) {
  const start = Date.UTC(2026, 0, 2, 3, 4, 5);
  const { log, lines } = collectLog();
  const clock = { now: () => new Date(fixture.now) };
  const fixture = {
    ...{ now: start, start, clock, log, lines, wireSite },
    // Both are set before the first test.
    database: undefined as unknown as TestDatabase,
    site: undefined as unknown as WiredSite,
    query: (statement: string) => fixture.database.query(statement),
    fetch: (...request: Parameters<WiredSite['app']['fetch']>) => fixture.site.app.fetch(...request),
    /** What was logged, or all of one event. */
    events: (name?: string) =>
      lines.map(line => JSON.parse(line)).filter(({ event }) => name === undefined || event === name),
  };

  /** As another process on the same database does. */
  function wireSite(moreEnv: Record<string, string> = {}, others: Partial<ServiceOverrides> = {}) {
    const config = testConfig({ ...fixture.database.env, ...env, ...moreEnv });
    return wire(config, { log, ...withTrustedClock(clock), ...overrides, ...others });
  }

  beforeAll(async () => {
    fixture.database = await create();
    fixture.site = await wireSite();
    return async () => {
      await fixture.site[Symbol.asyncDispose]();
      await fixture.database.remove();
    };
  });
  beforeEach(async () => {
    fixture.now = start;
    lines.length = 0;
    for (const table of emptied) await fixture.query(`delete from ${table}`);
  });
  return fixture;
}
