import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import type { Environment } from './define-settings.ts';

export function loadEnvironment(): Environment {
  if (existsSync('.env')) loadEnvFile('.env');
  return process.env;
}

/** For a process that reads what strangers send: none of our settings and secrets. */
export function listNeutralEnvironment(): Environment {
  const { NODE_EXTRA_CA_CERTS, SystemRoot } = process.env;
  return { ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...(SystemRoot && { SystemRoot }) };
}

export async function withProductionEnv<T>(work: () => Promise<T>): Promise<T> {
  const { NODE_ENV: before } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}
