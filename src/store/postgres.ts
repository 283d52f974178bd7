import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Tables } from './tables.ts';

/**
 * A database that stops answering fails a request; it must not hold it. The server gives up first, so that its
 * connection stays good; one that was left inside a transaction lets go of its locks. Migrations may wait for each other.
 */
export const patience = {
  connectionTimeoutMillis: 5000,
  statement_timeout: 4000,
  query_timeout: 5000,
  idle_in_transaction_session_timeout: 10_000,
} satisfies pg.PoolConfig;

export function openPool(
  address: string,
  options: pg.PoolConfig,
  onError: (error: Error) => void,
  onDisk?: (ms: number) => void,
): Kysely<Tables> {
  const pool = new pg.Pool({ connectionString: address, application_name: 'wardhouse', ...options });
  let isEnding = false;
  // A connection that the server ends says so here, idle or in use; without a listener that would end the process.
  pool.on('connect', client => client.on('error', error => !isEnding && onError(error)));
  pool.on('error', alreadyTold);
  const connect = async () => discardedAfterSilence(await pool.connect(), onDisk);
  function end() {
    isEnding = true;
    return pool.end();
  }
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: { connect, end, options: pool.options } }),
  });
}

function alreadyTold(): void {
  // By the connection itself.
}

/** What was asked may be carried out after nobody waits for it any more, a `begin` too: such a connection is not used again. */
function discardedAfterSilence(
  client: pg.PoolClient,
  onDisk: ((ms: number) => void) | undefined,
): PostgresPoolClient {
  let isSilent = false;
  async function query(sql: string, parameters: readonly unknown[]) {
    const started = performance.now();
    try {
      const result = await client.query(sql, [...parameters]);
      if (sql === 'commit') onDisk?.(performance.now() - started);
      return result;
    } catch (error) {
      isSilent ||= error instanceof Error && error.message === 'Query read timeout';
      throw error;
    }
  }
  return {
    // Kysely asks with a cursor only where one was configured.
    query: query as unknown as PostgresPoolClient['query'],
    release: discard => client.release(discard || isSilent),
  };
}
