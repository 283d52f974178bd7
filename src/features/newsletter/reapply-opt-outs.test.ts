import { expect, test, vi } from 'vitest';
import type { SubscriberRow } from '../../core/database/tables.ts';
import { reapplyOptOuts } from './reapply-opt-outs.ts';

const [earlier, at, later, last] = ['2026-01-01', '2026-02-01', '2026-03-01', '2026-04-01'] as const;

async function keep(optOut: Partial<SubscriberRow>, confirmed_at?: string): Promise<number> {
  const none = { unsubscribed_at: null, suppressed_at: null, suppression_reason: '' };
  const row = { id: 'x', address: 'a@example.com', ...none };
  const write = vi.fn();
  const get = async () => ({ ...row, confirmed_at }) as SubscriberRow;
  const subscribers = { get, inTransaction: write, inErasingTransaction: write };
  const deps = { subscribers, newsletterKeys: { subscriberPseudonym: () => 'x' } };
  const kept = await reapplyOptOuts(deps, [{ ...row, ...optOut } as SubscriberRow], { isSameKey: true });
  expect(write.mock.calls.length > 0).toBe(kept === 1);
  return kept;
}

test.each<Partial<SubscriberRow>>([
  { state: 'unsubscribed', unsubscribed_at: at },
  { address: null, suppressed_at: at, suppression_reason: 'erased' },
  { suppressed_at: at, suppression_reason: 'bounce' },
])('an opt-out stays, unless the subscriber confirmed again after it: %o', async optOut => {
  expect(await keep(optOut, later)).toBe(0);
  expect(await keep(optOut, earlier)).toBe(1);
  expect(await keep(optOut)).toBe(1);
  expect(await keep({ ...optOut, unsubscribed_at: last }, later)).toBe(1);
});

test('a complaint and what the owner decided stay, even after a confirmation', async () => {
  for (const suppression_reason of ['complaint', 'owner'] as const)
    expect(await keep({ suppressed_at: at, suppression_reason }, later)).toBe(1);
});
