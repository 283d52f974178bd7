import { resolve } from 'node:path';
import * as v from 'valibot';
import { defineSettings } from './define-settings.ts';
import { isLoopback, parsedBy } from './schemas.ts';

export const databaseSettings = defineSettings(
  {
    DATA_DIR: {
      schema: v.string(),
      default: 'data',
      about: 'Folder of the SQLite database and everything else the server writes.',
    },
    DATABASE_URL: {
      // It holds a password.
      secret: parsedBy(parsePostgresUrl, 'an address such as postgres://user:password@host:5432/name'),
      about: `A PostgreSQL database instead of SQLite: postgres://user:password@host:5432/name. On another machine
        it must end with ?sslmode=verify-full (&sslrootcert=FILE for a private CA), or ?sslmode=disable on a
        trusted network.`,
    },
  },
  ({ DATA_DIR, DATABASE_URL }, { addError }) => {
    const url = URL.parse(DATABASE_URL ?? '');
    if (url && !isLocal(url) && !hasSslMode(url)) {
      addError(
        'DATABASE_URL',
        'DATABASE_URL is at another machine: end it with ?sslmode=verify-full, which encrypts what visitors wrote on its way there, or with ?sslmode=disable on a private network',
      );
    }
    return { dataDir: resolve(DATA_DIR), databaseUrl: DATABASE_URL };
  },
);

function parsePostgresUrl(value: string): string | undefined {
  const url = URL.parse(value);
  return url && /^postgres(ql)?:\/\//.test(value) && url.pathname.length > 1 ? value : undefined;
}

/** The driver prefers a host in the query, and takes a path for a local socket. */
function isLocal({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? hostname;
  return host === '' || isLoopback(host) || /^(\/|%2f)/i.test(host);
}

/** Other modes check no certificate, or differ between this driver and libpq. */
function hasSslMode({ searchParams }: URL): boolean {
  const mode = searchParams.get('sslmode') ?? '';
  return ['verify-full', 'disable'].includes(mode) && !searchParams.has('uselibpqcompat');
}
