import type { TestProject } from 'vitest/node';
import { startPostgres } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
  }
}

let starting: ReturnType<typeof startPostgres> | undefined;

/** One server for all projects of the run; each test makes a database of its own in it. */
export default async function setup(project: TestProject) {
  starting ??= startPostgres();
  project.provide('postgresUrl', (await starting).url);
  return async () => {
    const started = starting;
    starting = undefined;
    await (await started)?.stop();
  };
}
