import { type Kysely, sql, type Transaction } from 'kysely';
import { migrationNames } from './migrate.ts';
import { tableNames } from './migrations/create-tables.ts';
import { openPool } from './postgres.ts';
import { type Column, isSqlite, jsonRows, listColumns } from './query-helpers.ts';
import type { Tables } from './tables.ts';

export type RowCounts = Record<string, number>;

type Db = Kysely<Tables>;
type Row = Record<string, unknown>;
type Table = { name: string; columns: Column[] };

/** Short-lived counters, and tables that each database fills itself. */
const excludedTables = ['rate_counts', 'throttles', 'readiness', 'migrations'];

const pageLength = 500;

export async function copyTables(from: Db, to: Transaction<Tables>): Promise<RowCounts> {
  const counts: RowCounts = {};
  for (const table of await listTables(to)) {
    counts[table.name] = 0;
    for await (const rows of readPages(from, table)) {
      await insert(to, table, rows);
      counts[table.name] = (counts[table.name] ?? 0) + rows.length;
    }
  }
  return counts;
}

async function insert(db: Transaction<Tables>, { name, columns }: Table, rows: Row[]): Promise<void> {
  const names = columns.map(({ column }) => sql.ref(column));
  const values = columns.map(({ type }, index) => {
    const value = sql`value ->> ${sql.lit(index)}`;
    return /^int/i.test(type) ? sql`cast(${value} as integer)` : value;
  });
  const lists = rows.map(row =>
    columns.map(({ column }) => (isSqlite(db) ? row[column] : withoutNul(row[column]))),
  );
  await sql`insert into ${sql.table(name)} (${sql.join(names)}) select ${sql.join(values)}
    from ${jsonRows(db, lists)}`.execute(db);
}

/** SQLite may have stored a NUL of a server's answer, which PostgreSQL does not accept. */
function withoutNul(value: unknown): unknown {
  return typeof value === 'string' ? value.replaceAll('\0', '\ufffd') : value;
}

export async function countAllTables(db: Db): Promise<RowCounts> {
  const counts: RowCounts = {};
  for (const { name } of await listTables(db)) {
    const { rows } = await sql<{ n: unknown }>`select count(*) as n from ${sql.table(name)}`.execute(db);
    counts[name] = Number(rows[0]?.n);
  }
  return counts;
}

export async function emptyTables(db: Transaction<Tables>): Promise<void> {
  const names = (await listTables(db)).map(({ name }) => sql.table(name));
  if (!isSqlite(db)) return void (await sql`truncate ${sql.join(names)}`.execute(db));
  for (const name of names) await sql`delete from ${name}`.execute(db);
}

export async function readPostgres<Result>(
  url: string,
  onError: (error: Error) => void,
  work: (db: Transaction<Tables>) => Promise<Result>,
  check?: (db: Db) => Promise<void>,
): Promise<Result> {
  const options = { max: 1, connectionTimeoutMillis: 5000, keepAlive: true };
  const db = openPool(url, options, onError);
  try {
    await check?.(db);
    return await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async transaction => {
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
        await sql`set local statement_timeout = 0`.execute(transaction);
        await assertCurrent(transaction);
        return work(transaction);
      });
  } finally {
    await db.destroy();
  }
}

async function assertCurrent(db: Db): Promise<void> {
  const applied = await db.selectFrom('migrations').select('name').execute();
  const names = new Set(applied.map(({ name }) => name));
  if (names.symmetricDifference(new Set(migrationNames)).size === 0) return;
  throw new Error('the database is of another version of the site; start this version on it once');
}

async function listTables(db: Db): Promise<Table[]> {
  return [...(await listColumns(db))]
    .filter(([name]) => tableNames.includes(name) && !excludedTables.includes(name))
    .map(([name, columns]) => ({ name, columns }));
}

async function* readPages(db: Db, { name, columns }: Table): AsyncGenerator<Row[]> {
  const selected = sql.join(columns.map(({ column }) => sql.ref(column)));
  if (isSqlite(db)) {
    for (let after = 0; ; ) {
      const { rows } = await sql<Row>`select rowid, ${selected} from ${sql.table(name)}
        where rowid > ${after} order by rowid limit ${pageLength}`.execute(db);
      if (rows.length > 0) yield rows;
      if (rows.length < pageLength) return;
      after = rows.at(-1)?.rowid as number;
    }
  }
  await sql`declare pages no scroll cursor for select ${selected} from ${sql.table(name)}`.execute(db);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(pageLength)} from pages`.execute(db);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close pages`.execute(db);
}
