import { resolve } from 'node:path';
import { readPublishedPosts, watchDuePosts } from '../build/blog/due-posts.ts';
import { findStaleReason } from '../build/fingerprint.ts';
import { headerSettings } from '../server/headers.ts';
import { watchSecurityTxt } from '../server/security-txt.ts';
import { serve } from '../server/serve.ts';
import { serveMetrics } from '../server/serve-metrics.ts';
import { loadFiles } from '../server/static-files.ts';
import { createProcessLog, wire } from '../server/wire.ts';
import {
  errorMessage,
  exitWithError,
  explainDatabaseError,
  explainListenError,
  explainMetricsError,
  formatUrl,
  orExit,
  readConfigOrExit,
  splitMessage,
} from './print-error.ts';
import { outputWidth, printLines, printUncaughtErrors } from './terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const outDir = resolve(root, 'dist');

printUncaughtErrors();
const config = readConfigOrExit();
const log = createProcessLog(config);
await ensureBuild();
const files = orExit(() => loadFiles(outDir, headerSettings(config)));
const services = await wire(config, { log }).catch(error =>
  exitWithError(explainDatabaseError(error, config)),
);
// Mails to subscribers need content/, which a server without build tools has not read yet.
orExit(services.newsletter.prepare);
const measuring = await serveMetrics(services).catch(error =>
  exitWithError(explainMetricsError(error, config)),
);
const running = await serve(services, files).catch(error => exitWithError(explainListenError(error, config)));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    running.stop().then(
      () => process.exit(0),
      error => exitWithError(errorMessage(error)),
    );
  });
}

// Nothing can be stored any more, so draining would only delay the restart.
services.broken.then(() => running.stop(0).finally(() => process.exit(1)));
if (config.outbox === 'in-process') await services.worker.start();
if (!services.newsletter.links)
  log.warn('SITE_URL not set', { why: 'subscriber mail waits until its links have an address' });
watchSecurityTxt(files, services);
watchDuePosts(readPublishedPosts(outDir), services);

const address = formatUrl(config.host, running.port);
report('data', `Data is kept in ${services.database.place}`);
report('receivers', `Messages go to ${services.receivers.map(({ destination }) => destination).join(', ')}`);
if (measuring) report('metrics', `Metrics are at ${measuring.address}`);
report('listening', `The site is at ${address}`);

function report(event: string, sentence: string): void {
  if (outputWidth() !== undefined) printLines([sentence]);
  else log.info(event, { message: sentence });
}

async function ensureBuild(): Promise<void> {
  const staleReason = findStaleReason(root, outDir, config);
  if (!staleReason) return;
  if (!canBuild()) {
    exitWithError(
      `the build in dist/ is outdated: ${staleReason}. Run npm run build where the build tools are installed.`,
    );
  }
  report('building', `Building the site (${staleReason})`);
  const { buildSite, BuildError } = await import('../build/build-site.ts');
  try {
    await buildSite({ config, outDir, previousBuild: outDir, print: line => report('building', line) });
  } catch (error) {
    if (error instanceof BuildError) exitWithError(...splitMessage(error));
    throw error;
  }
}

function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}
