import { startPostgres } from './postgres.ts';

/** One that is there already, as for a run that a test starts. */
const given = process.env.TEST_POSTGRES_URL;
let starting: ReturnType<typeof startPostgres> | undefined;

/** One server for all projects of the run; each test makes a database of its own in it. */
export default async function setup() {
  if (given) return undefined;
  starting ??= startPostgres();
  process.env.TEST_POSTGRES_URL = (await starting).url;
  return async () => {
    const started = starting;
    starting = undefined;
    await (await started)?.stop();
  };
}
