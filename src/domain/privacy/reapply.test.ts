import { expect, test } from 'vitest';
import { createKeys } from '../../lib/keys.ts';
import type { Row } from '../../store/dumped-tables.ts';
import type { AuditRow } from '../../store/tables.ts';
import { createAuditNaming } from './naming.ts';
import { createReapply } from './reapply.ts';

const naming = createAuditNaming(createKeys('the secret of the backup'));
const other = createAuditNaming(createKeys('another secret'));
const [before, erasedAt, after] = ['2026-01-01', '2026-02-01', '2026-03-01'];

function entry(action: AuditRow['action'], hash: string): AuditRow {
  return { hash, action, done_at: erasedAt, counts: '{}' };
}
const eraseAnn = entry('erase', naming.ofAddress('ann@example.com'));

function message(reference: string, email: string, text = '', received_at = before): Row {
  return { reference, received_at, state: 'new', name: '', email, message: text, service: '' };
}
function subscriber(id: string, address: string, row: Row = {}): Row {
  const none = { requested_at: null, asked_at: before, confirmed_at: before, left_at: null };
  return { id, address, state: 'confirmed', ...none, form: 'home', mailed_at: before, ...row };
}
const letter = (reference: string, of: string, created_at = before): Row => ({
  ...{ reference, receiver: 'newsletter', kind: 'issue', subscriber: of, created_at, payload: null },
  last_failure: '',
});
const named = (rows: Row[]) => rows.map(row => row.reference ?? row.id ?? row.subscriber);

test('messages of an erased address go, with all that belongs to them; what came after the erasure stays', () => {
  const { apply, counts } = createReapply([eraseAnn], [naming]);
  const kept = apply('messages', [
    message('A', 'ann@example.com'),
    message('B', ' ANN@Example.com.'),
    message('C', 'joann@example.com'),
    message('D', 'ann@example.com', 'I am back', after),
    message('E', ''),
    { ...message('F', ''), name: 'Ann@example.com' },
  ]);
  expect(named(kept)).toEqual(['C', 'D', 'E']);
  const delivery = (reference: string): Row => ({
    ...letter(reference, ''),
    kind: 'message',
    subscriber: null,
  });
  expect(named(apply('deliveries', ['A', 'C', 'D'].map(delivery)))).toEqual(['C', 'D']);
  const attempts = ['B', 'D'].map(reference => ({ reference, why: '', ended_at: before }));
  expect(named(apply('attempts', attempts))).toEqual(['D']);
  expect(counts).toEqual({ messages: 3, mentions: 0, subscribers: 0 });
});

test('others who mention it keep their words without it', () => {
  const { apply, counts } = createReapply([eraseAnn], [naming]);
  const [found] = apply('messages', [
    message(
      'A',
      'bob@example.com',
      'Ask <Ann@example.com>, mailto:ann@example.com?subject=x or q=ann%40example.com.',
    ),
  ]);
  expect(found?.message).toBe('Ask <[erased]>, mailto:[erased]?subject=x or q=[erased].');
  const same = message('B', 'bob@example.com', 'joann@example.com, ann@example.com.au');
  expect(apply('messages', [same])).toEqual([same]);
  const later = message('C', 'bob@example.com', 'ann@example.com', after);
  expect(apply('messages', [later])).toEqual([later]);
  expect(counts.mentions).toBe(1);
  const plus = createReapply([entry('erase', naming.ofAddress('ann+x@example.com'))], [naming]);
  const link = message('D', 'bob@example.com', 'https://x.example/?to%3Dann%2Bx%40example.com&y');
  expect(plus.apply('messages', [link])[0]?.message).toBe('https://x.example/?to%3D[erased]&y');
  const failed = { ...letter('N', ''), subscriber: null, last_failure: '550 no ann@example.com here' };
  expect(apply('deliveries', [failed])[0]?.last_failure).toBe('550 no [erased] here');
});

test('a reader is left as an erasure leaves them, and so is one who had only asked', () => {
  const hash = naming.ofAddress('cy@example.com');
  const { apply, rest, counts } = createReapply([eraseAnn, entry('erase-newsletter', hash)], [naming]);
  const signUp = (subscriber: string, address: string, asked_at: string) => ({
    subscriber,
    address,
    asked_at,
  });
  const signUps = [signUp('ann', 'ann@example.com', before), signUp('new', 'cy@example.com', before)];
  expect(apply('sign_ups', [...signUps, signUp('ann', 'ann@example.com', after)])).toHaveLength(1);
  const [ann, back, complained, bob] = apply('subscribers', [
    subscriber('ann', 'ann@example.com'),
    subscriber('back', 'Ann@example.com', { requested_at: after }),
    subscriber('complained', 'cy@example.com', {
      state: 'suppressed',
      suppressed_at: before,
      suppressed_why: 'complaint',
    }),
    subscriber('bob', 'bob@example.com'),
  ]);
  const erased = {
    address: null,
    state: 'suppressed',
    form: '',
    asked_at: null,
    confirmed_at: null,
    mailed_at: null,
  };
  expect(ann).toMatchObject({ ...erased, suppressed_at: erasedAt, suppressed_why: 'erased' });
  expect(complained).toMatchObject({ ...erased, suppressed_at: before, suppressed_why: 'complaint' });
  expect([back?.address, bob?.address]).toEqual(['Ann@example.com', 'bob@example.com']);
  expect(counts.subscribers).toBe(2);
  const tokens = ['ann', 'back', 'bob'].map(subscriber => ({ subscriber }));
  expect(named(apply('tokens', tokens))).toEqual(['back', 'bob']);
  const letters = [letter('1', 'ann'), letter('2', 'back'), letter('3', 'back', after), letter('4', 'bob')];
  expect(named(apply('deliveries', letters))).toEqual(['3', '4']);
  expect(rest().subscribers).toMatchObject([{ id: 'new', ...erased, suppressed_why: 'erased' }]);
  // Only the newsletter was to forget this one.
  expect(apply('messages', [message('M', 'cy@example.com')])).toHaveLength(1);
});

test('a single message is known by its reference', () => {
  const { apply } = createReapply([entry('erase-message', naming.ofMessage('A'))], [naming]);
  expect(
    named(apply('messages', [message('A', 'ann@example.com'), message('B', 'ann@example.com')])),
  ).toEqual(['B']);
});

test('an erasure under another key is applied, and noted under the backup’s', () => {
  const { apply, rest } = createReapply(
    [entry('erase', other.ofAddress('ann@example.com'))],
    [naming, other],
  );
  expect(apply('messages', [message('A', 'ann@example.com')])).toEqual([]);
  expect(rest().audit).toEqual([eraseAnn]);
});

test('nothing is looked for where nobody was erased, and corrections erase nobody', () => {
  const rows = [message('A', 'ann@example.com', 'ann@example.com')];
  expect(createReapply([], [naming]).apply('messages', rows)).toEqual(rows);
  const corrected = entry('rectify', naming.ofAddress('ann@example.com'));
  expect(createReapply([corrected], [naming]).apply('messages', rows)).toEqual(rows);
});
