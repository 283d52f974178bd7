import { isLoopback, type SettingsReader } from './settings-reader.ts';

/** The address holds a password, so it is never printed. */
export function readDatabaseUrl(reader: SettingsReader): string | undefined {
  const url = reader.secret(
    'DATABASE_URL',
    'an address such as postgres://user:password@host:5432/name',
    postgresUrl,
  );
  if (url && !isLocal(new URL(url)) && !hasSslMode(new URL(url))) {
    reader.addError(
      'DATABASE_URL is at another machine: end it with ?sslmode=verify-full, which encrypts what visitors wrote on its way there, or with ?sslmode=disable on a private network',
    );
  }
  return url;
}

function postgresUrl(value: string): string | undefined {
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
