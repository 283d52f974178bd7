import { expect, test } from 'vitest';
import { databases } from '../../../../tests/harness/databases.ts';
import { openTwoStores } from '../../../../tests/harness/stores.ts';
import { createAuditLimits, limits } from './audit-limits.ts';

test.each(databases.filter(({ name }) => name === 'PostgreSQL'))(
  'processes on one $name share the limits of audits, also at once',
  async ({ create }) => {
    const { store, other, close } = await openTwoStores(create);
    const clock = { now: () => new Date('2026-01-02') };
    const [one, two] = [store, other].map(({ rateCounts: counts }) =>
      createAuditLimits({ counts, clock, hmac: { sign: (_, text) => text } }),
    ) as [ReturnType<typeof createAuditLimits>, ReturnType<typeof createAuditLimits>];
    const consume = (audits: { name: string; network: string }[]) =>
      Promise.all(audits.map((audit, at) => (at % 2 ? one : two).consume(audit)));
    /** All at once, which may refuse some too many, and then one after the other. */
    const countAccepted = async (audits: { name: string; network: string }[]) => {
      const answers = await consume(audits);
      const refused = audits.filter((_, at) => answers[at] !== undefined);
      for (const audit of refused) answers.push(...(await consume([audit])));
      return answers.filter(reached => reached === undefined).length;
    };
    const sameName = Array.from({ length: 10 }, (_, at) => ({ name: 'a.com', network: `n${at}` }));
    expect(await countAccepted(sameName)).toBe(1);
    const sameNetwork = Array.from({ length: 20 }, (_, at) => ({ name: `b${at}.com`, network: 'one' }));
    expect(await countAccepted(sameNetwork)).toBe(limits.auditNetwork.max);
    const others = Array.from({ length: 100 }, (_, at) => ({ name: `c${at}.com`, network: `m${at}` }));
    expect(await countAccepted(others)).toBe(limits.auditTotal.max - limits.auditNetwork.max - 1);
    // Erased in both processes at once: the name may be audited once more, not twice.
    await Promise.all([one.refundErased('a.com'), two.refundErased('a.com')]);
    expect(await store.rateCounts.read(['a.com'], clock.now().toISOString())).toEqual([0]);
    await close();
  },
);
