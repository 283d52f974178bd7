import { dirname } from 'node:path';
import { readPublishedPosts, watchDuePosts } from '../build/blog/due-posts.ts';
import { findStaleReason } from '../build/fingerprint.ts';
import { headerSettings } from '../server/headers.ts';
import { watchSecurityTxt } from '../server/security-txt.ts';
import { serve } from '../server/serve.ts';
import { loadFiles } from '../server/static-files.ts';
import { createProcessLog } from '../server/wire.ts';
import {
  buildFolder,
  buildOrExit,
  exitOnListenError,
  formatUrl,
  readConfigOrExit,
  serveMetricsOrExit,
  wireOrExit,
} from './exit-on-error.ts';
import { errorMessage, exitWithError, orExit } from './print.ts';
import { outputWidth, printLines, printUncaughtErrors } from './terminal.ts';

printUncaughtErrors();
const config = readConfigOrExit();
const log = createProcessLog(config);
await ensureBuild();
const files = orExit(() => loadFiles(buildFolder, headerSettings(config)));
const services = await wireOrExit(config, log);
orExit(services.newsletter.prepare);
const metricsServer = await serveMetricsOrExit(services);
const running = await serve(services, files).catch(error => exitOnListenError(error, config));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    running.stop().then(
      () => process.exit(0),
      error => exitWithError(errorMessage(error)),
    );
  });
}

// Nothing can be stored any more, so draining would only delay the restart.
services.fatalError.then(() => running.stop(0).finally(() => process.exit(1)));
if (config.outbox === 'in-process') await services.worker.start();
if (!services.newsletter.links)
  log.warn('SITE_URL not set', { why: 'subscriber mail waits until its links have an address' });
watchSecurityTxt(files, services);
watchDuePosts(readPublishedPosts(buildFolder), services);

const address = formatUrl(config.host, running.port);
report('data', `Data is kept in ${services.database.place}`);
report('receivers', `Messages go to ${services.receivers.map(({ destination }) => destination).join(', ')}`);
if (metricsServer) report('metrics', `Metrics are at ${metricsServer.address}`);
report('listening', `The site is at ${address}`);

function report(event: string, sentence: string): void {
  if (outputWidth() !== undefined) printLines([sentence]);
  else log.info(event, { message: sentence });
}

async function ensureBuild(): Promise<void> {
  const staleReason = findStaleReason(dirname(buildFolder), buildFolder, config);
  if (!staleReason) return;
  if (!canBuild()) {
    exitWithError(
      `the build in dist/ is outdated: ${staleReason}. Run npm run build where the build tools are installed.`,
    );
  }
  report('building', `Building the site (${staleReason})`);
  await buildOrExit(config, line => report('building', line));
}

function canBuild(): boolean {
  try {
    import.meta.resolve('vite');
    return true;
  } catch {
    return false;
  }
}
