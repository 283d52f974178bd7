import { expect, test, vi } from 'vitest';
import type { SubscriberRow } from '../../store/tables.ts';
import { reapplyOptOuts } from './reapply-opt-outs.ts';

const [earlier, departed, later] = ['2026-01-01', '2026-02-01', '2026-03-01'];

type Departure = Partial<SubscriberRow>;
const left: Departure = { state: 'unsubscribed', unsubscribed_at: departed as string };
const erased: Departure = { address: null, suppressed_at: departed as string, suppression_reason: 'erased' };
const bounced: Departure = { suppressed_at: departed as string, suppression_reason: 'bounce' };

async function keep(departure: Departure, confirmed_at: string | undefined) {
  const row = {
    id: 'x',
    address: 'a@example.com',
    unsubscribed_at: null,
    suppressed_at: null,
    suppression_reason: '',
  };
  const [inTransaction, inErasingTransaction] = [vi.fn(), vi.fn()];
  const get = async () => ({ ...row, confirmed_at }) as SubscriberRow;
  const subscribers = { get, inTransaction, inErasingTransaction };
  const deps = { subscribers, newsletter: { subscriberPseudonym: () => 'x' } };
  const kept = await reapplyOptOuts(deps, [{ ...row, ...departure } as SubscriberRow], { isSameKey: true });
  const writes = inTransaction.mock.calls.length + inErasingTransaction.mock.calls.length;
  expect(writes > 0).toBe(kept === 1);
  return kept;
}

test.each([left, erased, bounced])(
  'a subscriber who confirmed again after unsubscribing stays: %o',
  async departure => {
    expect(await keep(departure, later)).toBe(0);
    expect(await keep(departure, earlier)).toBe(1);
    expect(await keep(departure, undefined)).toBe(1);
    expect(await keep({ ...departure, unsubscribed_at: '2026-04-01' }, later)).toBe(1);
  },
);

test.each(['complaint', 'owner'] as const)(
  'a suppression by %s stays, even after a confirmation',
  async suppression_reason => {
    expect(await keep({ ...bounced, suppression_reason }, later)).toBe(1);
  },
);
