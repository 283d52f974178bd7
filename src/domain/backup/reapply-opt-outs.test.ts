import { expect, test, vi } from 'vitest';
import type { SubscriberRow } from '../../store/tables.ts';
import { reapplyOptOuts } from './reapply-opt-outs.ts';

const [earlier, optedOutAt, later] = ['2026-01-01', '2026-02-01', '2026-03-01'];

type OptOut = Partial<SubscriberRow>;
const left: OptOut = { state: 'unsubscribed', unsubscribed_at: optedOutAt as string };
const erased: OptOut = { address: null, suppressed_at: optedOutAt as string, suppression_reason: 'erased' };
const bounced: OptOut = { suppressed_at: optedOutAt as string, suppression_reason: 'bounce' };

async function keep(optOut: OptOut, confirmed_at: string | undefined) {
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
  const deps = { subscribers, newsletterKeys: { subscriberPseudonym: () => 'x' } };
  const kept = await reapplyOptOuts(deps, [{ ...row, ...optOut } as SubscriberRow], { isSameKey: true });
  const writes = inTransaction.mock.calls.length + inErasingTransaction.mock.calls.length;
  expect(writes > 0).toBe(kept === 1);
  return kept;
}

test.each([left, erased, bounced])(
  'a subscriber who confirmed again after unsubscribing stays: %o',
  async optOut => {
    expect(await keep(optOut, later)).toBe(0);
    expect(await keep(optOut, earlier)).toBe(1);
    expect(await keep(optOut, undefined)).toBe(1);
    expect(await keep({ ...optOut, unsubscribed_at: '2026-04-01' }, later)).toBe(1);
  },
);

test.each(['complaint', 'owner'] as const)(
  'a suppression by %s stays, even after a confirmation',
  async suppression_reason => {
    expect(await keep({ ...bounced, suppression_reason }, later)).toBe(1);
  },
);
