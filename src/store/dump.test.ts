import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases, type TestDatabase } from '../../tests/harness/databases.ts';
import { testConfig } from '../../tests/harness/site.ts';
import type { Page } from './dump.ts';
import { dumpedTables, passingTables, type Shape } from './dumped-tables.ts';
import { openStore, type Store } from './open.ts';

describe.each(databases)('a dump on $name', ({ name, create }) => {
  let database: TestDatabase;
  let store: Store;

  beforeAll(async () => {
    database = await create();
    store = await openStore({
      ...testConfig(database.env),
      onError: error => expect.unreachable(error.message),
    });
  });
  afterAll(async () => {
    await store.close();
    await database.remove();
  });

  test('knows every table and column of the database', async () => {
    const columns = await (name === 'SQLite' ? describeSqlite(database) : describePostgres(database));
    const dumped = Object.entries<Shape>(dumpedTables).flatMap(([table, shape]) =>
      Object.entries(shape.columns).map(([column, { kind, isNullable = false }]) => {
        const place = shape.key.indexOf(column) + 1;
        return `${table}.${column} ${kind} ${isNullable ? 'nullable' : 'filled'} key ${place}`;
      }),
    );
    const kept = columns.filter(line => !passingTables.some(table => line.startsWith(`${table}.`)));
    expect(kept.length).toBeGreaterThan(50);
    expect(dumped.sort()).toEqual(kept.sort());
  });

  async function add(reference: string): Promise<void> {
    const received_at = '2026-01-02T00:00:00.000Z';
    const words = { name: '', email: '', message: 'words', service: '' };
    await store.messages.add({
      ...{ reference, received_at, state: 'new', ...words, idempotency_key: null, quarantine_reason: '' },
      receivers: ['sheet', 'mail'],
    });
  }

  const isPage = (read: object): read is Page => 'table' in read;

  test('is of one moment, and in the order of bytes, however much is written meanwhile', async () => {
    // As on a server whose language is not C, whose indexes then have another order.
    for (const table of name === 'SQLite' ? [] : ['messages', 'deliveries']) {
      await database.query(`alter table ${table} alter column reference type text collate "en-x-icu"`);
    }
    // More than a page, with letters whose order is another in each language.
    const letters = ['b', 'B', 'a', 'A', 'é', 'z', '_', '-', '0', '\u{fb01}', '\u{1f600}'];
    const references = Array.from(
      { length: 700 },
      (_, index) => `${letters[index % letters.length]}${index}`,
    );
    await Promise.all(references.map(add));
    const seen: Record<string, string[]> = {};
    for await (const read of store.dump.read()) {
      await Promise.all([add(`late ${Math.random()}`), add(`~late ${Math.random()}`)]);
      if (!isPage(read)) continue;
      expect(read.rows.length).toBeLessThanOrEqual(500);
      seen[read.table] = [...(seen[read.table] ?? []), ...read.rows.map(row => row.reference as string)];
    }
    const sorted = references.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(seen.messages).toEqual(sorted);
    expect(seen.deliveries).toEqual(sorted.flatMap(reference => [reference, reference]));
  });

  test('that is given up half-way leaves nothing behind', async () => {
    for await (const read of store.dump.read()) if (isPage(read)) break;
    await add('after');
    if (name === 'SQLite') return;
    // The server is shared with other tests, whose transactions are none of ours.
    const left = await database.query(
      "select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
    );
    expect(left).toEqual([]);
  });
});

async function describeSqlite({ query }: TestDatabase): Promise<string[]> {
  const rows = await query(`select t.name || '.' || c.name || ' ' || lower(c.type) ||
    iif(c."notnull" or (c.pk > 0), ' filled', ' nullable') || ' key ' || c.pk as line
    from sqlite_master t, pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`);
  return rows.map(({ line }) => line as string);
}

async function describePostgres({ query }: TestDatabase): Promise<string[]> {
  const rows =
    await query(`select c.table_name || '.' || c.column_name || ' ' || c.data_type || case is_nullable when 'NO'
    then ' filled' else ' nullable' end || ' key ' || coalesce(k.ordinal_position, 0) as line
    from information_schema.columns c left join information_schema.key_column_usage k
    on k.table_name = c.table_name and k.column_name = c.column_name and k.constraint_name in
      (select constraint_name from information_schema.table_constraints where constraint_type = 'PRIMARY KEY')
    where c.table_schema = 'public'`);
  return rows.map(({ line }) => line as string);
}
