import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/** The server's own timeout comes first, so that the connection stays usable. */
export const poolTimeouts = {
  connectionTimeoutMillis: 5000,
  statement_timeout: 4000,
  query_timeout: 5000,
  idle_in_transaction_session_timeout: 10_000,
} satisfies pg.PoolConfig;

export function openPool(
  url: string,
  options: pg.PoolConfig,
  onError: (error: Error) => void,
  onCommit?: (ms: number) => void,
): Kysely<Tables> {
  const pool = new pg.Pool({ connectionString: url, application_name: 'wardhouse', ...options });
  let isEnding = false;
  // Without a listener an error of a connection, idle or in use, would end the process.
  pool.on('connect', client => client.on('error', error => !isEnding && onError(error)));
  pool.on('error', () => undefined);
  const connect = async () => discardAfterTimeout(await pool.connect(), onCommit);
  function end() {
    isEnding = true;
    return pool.end();
  }
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end, options: pool.options } }),
  });
}

/** After a timeout the query, perhaps a `begin`, may still run: such a connection is not used again. */
function discardAfterTimeout(
  client: pg.PoolClient,
  onCommit: ((ms: number) => void) | undefined,
): PostgresPoolClient {
  let hasTimedOut = false;
  async function query(sql: string, parameters: readonly unknown[]) {
    const started = performance.now();
    try {
      const result = await client.query(sql, [...parameters]);
      if (sql === 'commit') onCommit?.(performance.now() - started);
      return result;
    } catch (error) {
      hasTimedOut ||= error instanceof Error && error.message === 'Query read timeout';
      throw error;
    }
  }
  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: discard => client.release(discard || hasTimedOut),
  };
}
