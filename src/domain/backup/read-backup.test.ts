import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dumpedTables } from '../../store/dumped-tables.ts';
import { migrationNames } from '../../store/migrate.ts';
import { BackupMistake, type Known } from './format.ts';
import { readBackup } from './read-backup.ts';

const known: Known = { shapes: dumpedTables, migrations: migrationNames };
const head = { format: 'wardhouse backup', version: 1, madeAt: '2026-01-02T00:00:00.000Z' };
const first = JSON.stringify({ ...head, migrations: migrationNames });
const secret = { name: 'site', value: 'x', created_at: 'then' };
const message = {
  ...{ reference: 'AAAAA', received_at: 'then', state: 'new', name: 'Zoë', email: '', message: 'a\nb' },
  ...{ service: '', idempotency_key: null, quarantine_reason: '' },
};
const attempt = { reference: 'A', receiver: 'mail', number: 1, ended_at: 'then', state: 'dead', why: '' };
const line = (t: string, r: object) => JSON.stringify({ t, r });
const whole = [first, line('secrets', secret), line('messages', message), line('attempts', attempt)];

/** As a backup ends, whatever it holds. */
function ended(lines: string[], counts: object = {}): string {
  const text = lines.map(one => `${one}\n`).join('');
  const found: Record<string, number> = {};
  for (const one of lines.slice(1)) {
    const { t } = JSON.parse(one) as { t: string };
    found[t] = (found[t] ?? 0) + 1;
  }
  const sha256 = createHash('sha256').update(text).digest('hex');
  return `${text}${JSON.stringify({ end: true, counts: { ...found, ...counts }, sha256 })}\n`;
}

/** Everything a file holds, or where its first mistake is. Read in small parts, so that lines are cut anywhere. */
async function read(text: string | Buffer, { shapes, migrations } = known) {
  const bytes = Buffer.from(text);
  async function* parts() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  const rows: unknown[] = [];
  try {
    const pages = readBackup(parts(), { shapes, migrations });
    for (;;) {
      const { done, value } = await pages.next();
      if (done) return { rows, counts: value.counts };
      rows.push(...value.rows);
    }
  } catch (error) {
    if (!(error instanceof BackupMistake)) throw error;
    return `${error.line}: ${error.message}`;
  }
}

test('a backup is read to the letter', async () => {
  const found = await read(ended(whole));
  expect(found).toMatchObject({ rows: [secret, message, attempt], counts: { messages: 1, tokens: 0 } });
});

test('one that was made before a column was there gets what is usual', async () => {
  const { idempotency_key: _, ...older } = message;
  const lines = [
    JSON.stringify({ ...head, migrations: migrationNames.slice(0, -1) }),
    line('messages', older),
  ];
  expect(await read(ended(lines))).toMatchObject({ rows: [message] });
  expect(await read(ended([first, line('messages', older)]))).toBe('2: messages: idempotency_key is missing');
});

test('one that was made while keys were stored as they came brings none of them back', async () => {
  const plain = { ...message, idempotency_key: 'zoe@example.com' };
  const from = (migrations: readonly string[]) =>
    read(ended([JSON.stringify({ ...head, migrations }), line('messages', plain)]));
  const older = migrationNames.filter(name => name !== '007-hashed-keys');
  expect(await from(older)).toMatchObject({ rows: [message] });
  expect(await from(migrationNames)).toMatchObject({ rows: [plain] });
});

describe('a file is refused', () => {
  const with3 = (t: string, r: object) => ended([...whole.slice(0, 2), line(t, r)]);
  const text = ended(whole);
  test.each([
    ['that is empty', '', /^1: the file is empty/],
    ['that is none of ours', 'Reference,Received\n', /^1: this is no backup/],
    ['of another kind', '{"format":"other"}\n', /^1: this is no backup/],
    ['of a later format', `${JSON.stringify({ ...head, version: 2, migrations: [] })}\n`, /newer.*format 2/],
    ['of a later version', `${JSON.stringify({ ...head, migrations: ['999-x'] })}\n`, /^1: .*newer.*999-x/],
    ['without its end', `${whole.join('\n')}\n`, /^4: the file ends here/],
    ['cut off in a line', text.slice(0, first.length + 30), /^2: it is cut off/],
    ['with a line missing', text.replace(`${whole[2]}\n`, ''), /had 1 rows of messages, the file has 0/],
    ['with a letter changed', text.replace('Zoë', 'Zoe'), /checksum/],
    ['with something behind it', `${text}{}\n`, /^6: something follows/],
    ['that is no JSON', ended(whole).replace('{"t":"messages"', '{"t":messages"'), /^3: it is no line/],
    ['that is no UTF-8', Buffer.from(text, 'latin1'), /^3: it is no line/],
    ['with an unknown table', with3('migrations', {}), /^3: it belongs to no table/],
    ['with a table of JavaScript’s own', with3('__proto__', {}), /^3: it belongs to no table/],
    ['with an unknown column', with3('messages', { ...message, extra: 1 }), /^3: messages: .*'extra'/],
    ['with a column of the wrong type', with3('messages', { ...message, name: 1 }), /name is no text/],
    ['with an empty column', with3('messages', { ...message, name: null }), /name is empty/],
    ['with an unknown state', with3('messages', { ...message, state: 'gone' }), /state is none of new/],
    ['with a number that is none', with3('attempts', { ...attempt, number: 1.5 }), /no whole number/],
    ['with a NUL', with3('messages', { ...message, name: 'a\0' }), /no text/],
    ['with half a letter', with3('messages', { ...message, name: '\ud800' }), /no text/],
    ['with a list for a row', with3('messages', []), /^3: messages: it has no row/],
    [
      'with a row twice',
      ended([...whole.slice(0, 3), whole[2] as string]),
      /^4: messages: it is out of order/,
    ],
    [
      'with tables in disorder',
      ended([first, whole[2] as string, whole[1] as string]),
      /^3: secrets come after/,
    ],
    ['with a false end', ended(whole, { messages: 2 }), /had 2 rows of messages/],
    ['with an end of nothing', `${whole.join('\n')}\n{"end":true}\n`, /rows of secrets|checksum/],
  ])('%s', async (_, file, reason) => {
    expect(await read(file)).toMatch(reason);
  });
});
