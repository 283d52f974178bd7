import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** Adds messages with numbers from one up to another, each with two deliveries that arrived at the first attempt. */
export type Fill = (from: number, upTo: number) => Promise<void>;

export function fillSqlite(file: string): Fill {
  return async (from, upTo) => {
    const database = new DatabaseSync(file, { timeout: 5000 });
    database.exec('pragma synchronous = off; pragma cache_size = -200000; begin');
    for (const statement of statements(from, upTo, sqlite)) database.exec(statement);
    database.exec('commit; pragma wal_checkpoint(truncate); analyze');
    database.close();
  };
}

export function fillPostgres(address: string): Fill {
  return async (from, upTo) => {
    const client = new pg.Client({ connectionString: address });
    await client.connect();
    for (const statement of statements(from, upTo, postgres)) await client.query(statement);
    await client.query('analyze');
    await client.end();
  };
}

type Dialect = { numbers(from: number, upTo: number): string; reference: string; received: string };

const sqlite: Dialect = {
  numbers: (from, upTo) =>
    `(with recursive numbers (n) as (select ${from} union all select n + 1 from numbers where n < ${upTo - 1})
      select n from numbers)`,
  reference: "printf('%05X-%05X', n * 7919 % 1048573, n % 1048573)",
  received: "strftime('%Y-%m-%dT%H:%M:%S.', 1700000000 + n * 60, 'unixepoch') || '000Z'",
};

const postgres: Dialect = {
  numbers: (from, upTo) => `(select n from generate_series(${from}, ${upTo - 1}) as numbers (n))`,
  reference:
    "upper(lpad(to_hex(n::bigint * 7919 % 1048573), 5, '0') || '-' || lpad(to_hex(n % 1048573), 5, '0'))",
  received: `to_char(to_timestamp(1700000000 + n * 60) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"')`,
};

const words = 'The boiler in the cellar drips, and has done so for weeks; please call before noon. '.repeat(
  5,
);

function statements(from: number, upTo: number, { numbers, reference, received }: Dialect): string[] {
  const rows = `${numbers(from, upTo)} as counted`;
  // The oldest message alone has the rare word: it is found at the very end of a search.
  const text = `case when n = 0 then 'Rhabarber' else '${words}' || n end`;
  return [
    `insert into messages (reference, received_at, state, name, email, message, service, quarantine_reason)
      select ${reference}, ${received}, case when n % 50 = 0 then 'quarantined' else 'new' end, 'Zoë ' || n,
        'reader-' || n || '@example.com', ${text}, 'Service ' || (n % 6), '' from ${rows}`,
    ...['sheet', 'mail'].flatMap(receiver => [
      `insert into deliveries (reference, receiver, kind, state, created_at, due_at, attempts, settled_at)
        select ${reference}, '${receiver}', 'message', 'delivered', ${received}, ${received}, 1, ${received} from ${rows}`,
      `insert into attempts (reference, receiver, number, ended_at, state)
        select ${reference}, '${receiver}', 1, ${received}, 'delivered' from ${rows}`,
    ]),
  ];
}
