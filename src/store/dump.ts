import { type Kysely, sql } from 'kysely';
import { type DumpedTable, dumpedNames, dumpedTables, type Row, type Shape } from './dumped-tables.ts';
import { migrationNames } from './migrate.ts';
import type { Dialect } from './open.ts';
import type { Tables } from './tables.ts';

export type Counts = Record<DumpedTable, number>;
export type Page = { table: DumpedTable; rows: Row[] };

export type Dump = {
  shapes: Readonly<Record<DumpedTable, Shape>>;
  migrations: readonly string[];
  /**
   * Everything that is worth keeping, as it was at one moment: how much of it there is, then table by table, each in the
   * order of its key's bytes. Others read and write meanwhile; a page is read once the one before is taken.
   */
  read(): AsyncGenerator<{ counts: Counts } | Page>;
};

type DumpDeps = {
  dialect: Dialect;
  /** A connection of its own: a read that lasts minutes holds up nobody. */
  connect(): Promise<Kysely<Tables>>;
};

/** However long a message or an issue is, this many are held at once. */
const pageLength = 500;

export function createDump({ dialect, connect }: DumpDeps): Dump {
  const readPages = dialect === 'sqlite' ? readByKey : readByCursor;
  return {
    shapes: dumpedTables,
    migrations: migrationNames,
    async *read() {
      const own = await connect();
      try {
        await using snapshot = await begin(own, dialect);
        yield { counts: await countAll(snapshot.db) };
        for (const table of dumpedNames) {
          for await (const rows of readPages(snapshot.db, table, dumpedTables[table])) yield { table, rows };
        }
      } finally {
        await own.destroy();
      }
    },
  };
}

type Snapshot = AsyncDisposable & { db: Kysely<Tables> };

/** Its first read fixes what is seen. */
async function begin(own: Kysely<Tables>, dialect: Dialect): Promise<Snapshot> {
  if (dialect === 'sqlite') {
    // Kysely's transactions take the lock for writing. This one ends with its connection.
    await sql`begin`.execute(own);
    return { db: own, [Symbol.asyncDispose]: async () => undefined };
  }
  const db = await own
    .startTransaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute();
  async function end(): Promise<void> {
    // A connection that is gone has ended its transaction by itself.
    await db
      .rollback()
      .execute()
      .catch(() => undefined);
  }
  for (const setting of patienceOfItsOwn) await sql.raw(`set local ${setting}`).execute(db);
  return { db, [Symbol.asyncDispose]: end };
}

const patienceOfItsOwn = [
  // Whoever takes the pages may be slow, and sorting the keys of a million rows may take a while.
  'idle_in_transaction_session_timeout = 0',
  "statement_timeout = '10min'",
  // Rows are looked up by their keys, however little the server knows of a table that was never analysed.
  'enable_hashjoin = off',
  'enable_mergejoin = off',
];

export async function countAll(db: Kysely<Tables>): Promise<Counts> {
  const counts: Partial<Counts> = {};
  for (const table of dumpedNames) {
    const { rows } = await sql<{ count: unknown }>`select count(*) as count from ${sql.table(table)}`.execute(
      db,
    );
    counts[table] = Number(rows[0]?.count);
  }
  return counts as Counts;
}

/** SQLite compares text by its bytes, so its own index has the order: each page begins after the last row of the one before. */
async function* readByKey(
  db: Kysely<Tables>,
  table: DumpedTable,
  { key, columns }: Shape,
): AsyncGenerator<Row[]> {
  const keys = sql.join(key.map(name => sql.ref(name)));
  const selected = sql.join(Object.keys(columns).map(name => sql.ref(name)));
  let after = sql``;
  for (;;) {
    const { rows } = await sql<Row>`select ${selected} from ${sql.table(table)} ${after}
      order by ${keys} limit ${pageLength}`.execute(db);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (!last || rows.length < pageLength) return;
    after = sql`where (${keys}) > (${sql.join(key.map(name => last[name]))})`;
  }
}

/**
 * PostgreSQL's indexes have the order of its language, which is another on each machine. So the keys alone are sorted, once, and
 * the rows looked up by them.
 */
async function* readByCursor(
  db: Kysely<Tables>,
  table: DumpedTable,
  { key, columns }: Shape,
): AsyncGenerator<Row[]> {
  const of = (name: string) => sql.ref(`${table}.${name}`);
  const isText = (name: string) => columns[name]?.kind === 'text';
  const sorted = key.map(name => (isText(name) ? sql`${of(name)} collate "C"` : of(name)));
  const found = key.map((name, index) => {
    const value = sql`wanted.key ->> ${sql.lit(index)}`;
    return sql`${of(name)} = ${isText(name) ? value : sql`(${value})::integer`}`;
  });
  await sql`declare keys no scroll cursor for select json_build_array(${sql.join(key.map(of))}) as key
    from ${sql.table(table)} order by ${sql.join(sorted)}`.execute(db);
  for (;;) {
    const { rows: keys } = await sql<{ key: unknown[] }>`fetch ${sql.lit(pageLength)} from keys`.execute(db);
    if (keys.length === 0) break;
    const json = JSON.stringify(keys.map(({ key }) => key));
    const { rows } = await sql<Row>`select ${sql.join(Object.keys(columns).map(of))} from ${sql.table(table)}
      join json_array_elements(${json}::json) with ordinality as wanted (key, place) on ${sql.join(found, sql` and `)}
      order by wanted.place`.execute(db);
    yield rows;
  }
  await sql`close keys`.execute(db);
}
