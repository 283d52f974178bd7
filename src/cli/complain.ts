import type { Config } from '../server/config.ts';

/** Ends a command with one clear line. */
export function complain(line: string): never {
  process.stderr.write(`${line}\n`);
  process.exit(1);
}

/** What went wrong while starting or stopping, in the words of the person who must mend it. */
export function explain(error: unknown, config?: Config): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `Port ${config?.port} is taken: stop what uses it, or set PORT to another one.`;
  if (code === 'EACCES' && error.message.includes('listen')) {
    return `Port ${config?.port} may not be opened by this user: set PORT to one above 1023.`;
  }
  if (code === 'EADDRNOTAVAIL' || (code === 'ENOTFOUND' && error.message.includes(String(config?.host)))) {
    return `HOST is '${config?.host}', which is no address of this machine.`;
  }
  if (config?.databaseUrl)
    return `The database at ${withoutPassword(config.databaseUrl)} cannot be used: ${reason(error)}`;
  if (config) return `The data folder ${config.dataDir} cannot be used: ${reason(error)}`;
  return reason(error);
}

/** An address to open in a browser: a server that listens everywhere is here, too. */
export function shownAddress(host: string, port: number): string {
  const isHere = host === '127.0.0.1' || host === '0.0.0.0' || host === '::' || host === '::1';
  return `http://${isHere ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

function reason(error: Error): string {
  const inner =
    error instanceof AggregateError ? error.errors.map(one => one.message).join('; ') : error.message;
  return inner.split('\n')[0] ?? '';
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  return `${url.protocol}//${url.host}${url.pathname}`;
}
