import { type Kysely, sql } from 'kysely';
import { openPool } from '../../../src/core/database/postgres.ts';
import { insertRows } from '../../../src/core/database/query-helpers.ts';
import { openSqlite } from '../../../src/core/database/sqlite.ts';
import type { Tables } from '../../../src/core/database/tables.ts';
import { mapMessageFields } from '../../../src/features/messages/message-fields.ts';
import { buildSearchText } from '../../../src/features/messages/search-texts.ts';

const batchSize = 5000;

export async function connectSqlite(file: string): Promise<Kysely<Tables>> {
  const { db } = await openSqlite(file, error => {
    throw error;
  });
  await sql`pragma synchronous = off`.execute(db);
  await sql`pragma cache_size = -200000`.execute(db);
  return db;
}

export function connectPostgres(url: string): Kysely<Tables> {
  return openPool(url, { max: 1 }, error => {
    throw error;
  });
}

/** Messages with these numbers, each with two deliveries that arrived. */
export async function fillMessages(db: Kysely<Tables>, from: number, upTo: number): Promise<void> {
  for (let at = from; at < upTo; at += batchSize) {
    const messages = Array.from({ length: Math.min(batchSize, upTo - at) }, (_, index) =>
      createMessage(at + index),
    );
    const deliveries = messages.flatMap(({ reference, received_at: time }) =>
      ['sheet', 'mail'].map(receiver => ({
        ...{ reference, receiver, kind: 'message', state: 'delivered' },
        ...{ created_at: time, due_at: time, settled_at: time },
      })),
    );
    await db.transaction().execute(async transaction => {
      await insertRows(db, 'messages', messageColumns, messages).execute(transaction);
      await insertRows(db, 'deliveries', deliveryColumns, deliveries).execute(transaction);
    });
  }
  await sql`analyze`.execute(db);
}

const messageColumns = [
  ...(['reference', 'received_at', 'state', 'name', 'email', 'message', 'service'] as const),
  ...(['quarantine_reason', 'search_text'] as const),
];
const deliveryColumns = [
  ...(['reference', 'receiver', 'kind', 'state', 'created_at', 'due_at', 'settled_at'] as const),
];

function createMessage(number: number) {
  const hex = (value: number) => (value % 1_048_573).toString(16).toUpperCase().padStart(5, '0');
  const isQuarantined = number % 50 === 0;
  const message = {
    reference: `${hex(number * 7919)}-${hex(number)}`,
    received_at: new Date(1_700_000_000_000 + number * 60_000).toISOString(),
    state: isQuarantined
      ? 'quarantined'
      : number % 5000 === 1
        ? 'spam'
        : number % 3 === 0
          ? 'answered'
          : 'new',
    ...mapMessageFields(() => ''),
    name: `Zoë ${number}`,
    email: `reader-${number}@example.com`,
    message: writeText(number),
    service: `Service ${number % 6}`,
    quarantine_reason: isQuarantined ? (number % 100 === 0 ? 'links' : 'repeated') : '',
  };
  return { ...message, search_text: buildSearchText(message) };
}

/** The same text for the same number: 70 words of 5,000, few of them often. */
function writeText(number: number): string {
  const random = createRandom(number + 1);
  const text = Array.from({ length: 70 }, () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]);
  if (number % 1000 === 7) text[10] = 'Rhabarber';
  if (number % 4000 === 7) text[30] = 'Wednesday';
  if (number < 10_000) text[20] = 'Clustered';
  return `${text.join(' ')}.`;
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri ro su ta ve wi xo zy st tr an er on in'.split(' ');
const vocabulary = createVocabulary();

function createVocabulary(): string[] {
  const random = createRandom(7);
  const pick = () => syllables[Math.floor(random() * syllables.length)];
  return Array.from({ length: 5000 }, () =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, pick).join(''),
  );
}

function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}
