import { findPublishedContent } from '../../core/http/current-build.ts';
import { readConfigOrExit, root, serveMetricsOrExit, wireOrExit } from './exit-on-error.ts';
import { exitWithError } from './print.ts';
import { printUncaughtErrors } from './terminal.ts';

printUncaughtErrors();
const config = readConfigOrExit();
if (!config.databaseUrl) {
  exitWithError('the worker needs PostgreSQL: set DATABASE_URL. With SQLite, the server itself delivers.');
}
const services = await wireOrExit(config, { findContent: () => findPublishedContent(root) });
const { log } = services;
const metricsServer = await serveMetricsOrExit(services);
await services.worker.start();
if (metricsServer) log.info('metrics', { message: `Metrics are at ${metricsServer.url}` });
log.info('delivering', {
  message: `Delivering to ${services.receivers.map(({ destination }) => destination).join(', ')}`,
});

// Keeps the process alive while the database connection is lost.
const keepAlive = setInterval(() => undefined, 60_000);

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end(0));
services.fatalError.then(() => end(1));

async function end(code: number): Promise<void> {
  clearInterval(keepAlive);
  log.info('stopping');
  await services[Symbol.asyncDispose]();
  log.info('stopped');
  process.exit(code);
}
