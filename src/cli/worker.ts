import { serveMetrics } from '../server/serve-metrics.ts';
import { createProcessLog, wire } from '../server/wire.ts';
import { exitWithError, explainDatabaseError, explainMetricsError, readConfigOrExit } from './print-error.ts';
import { printUncaughtErrors } from './terminal.ts';

printUncaughtErrors();
const config = readConfigOrExit();
if (!config.databaseUrl) {
  exitWithError('the worker needs PostgreSQL: set DATABASE_URL. With SQLite, the server itself delivers.');
}
const log = createProcessLog(config);
const services = await wire(config, { log }).catch(error =>
  exitWithError(explainDatabaseError(error, config)),
);
const measuring = await serveMetrics(services).catch(error =>
  exitWithError(explainMetricsError(error, config)),
);
await services.worker.start();
if (measuring) log.info('metrics', { message: `Metrics are at ${measuring.address}` });
log.info('delivering', {
  message: `Delivering to ${services.receivers.map(({ destination }) => destination).join(', ')}`,
});

// Keeps the process alive while the database connection is lost.
const keepAlive = setInterval(() => undefined, 60_000);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(0));
services.broken.then(() => end(1));

async function end(code: number): Promise<void> {
  clearInterval(keepAlive);
  log.info('stopping');
  await services[Symbol.asyncDispose]();
  log.info('stopped');
  process.exit(code);
}
