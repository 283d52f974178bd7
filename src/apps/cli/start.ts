import { resolve } from 'node:path';
import { watchSecurityTxt } from '../../core/http/check-security-txt.ts';
import { findCurrentBuild, findPublishedContent, followCurrentBuild } from '../../core/http/current-build.ts';
import { headerSettings } from '../../core/http/headers.ts';
import { createProcessLog } from '../../core/process-log.ts';
import { publishDuePosts, watchDuePosts } from '../../features/blog/due-posts.ts';
import { errorMessage } from '../../lib/error-message.ts';
import { describeOutdatedBuild } from '../build/fingerprint.ts';
import { serve } from '../server/serve.ts';
import {
  describeUrls,
  dist,
  exitOnListenError,
  readConfigOrExit,
  root,
  serveMetricsOrExit,
  wireOrExit,
} from './exit-on-error.ts';
import { exitWithError, orExit, splitMessage } from './print.ts';
import { outputWidth, printLines, printUncaughtErrors } from './terminal.ts';

const publishAdvice = 'run npm run publish-site';

printUncaughtErrors();
const config = readConfigOrExit();
const log = createProcessLog(config);
await ensureBuild();
let outdatedReason = findOutdatedReason();
const files = orExit(() =>
  followCurrentBuild({
    dist,
    settings: headerSettings(config),
    log,
    onChange() {
      outdatedReason = findOutdatedReason();
    },
  }),
);
const services = await wireOrExit(config, {
  log,
  findContent: () => findPublishedContent(root),
  describeOutdatedBuild: () => outdatedReason,
});
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
services.started.prepare(services.isOn);
watchSecurityTxt(files, services);
watchDuePosts({
  dist,
  clock: services.clock,
  log,
  publish: config.isAutoPublished
    ? () => publishDuePosts(resolve(import.meta.dirname, 'publish-site.ts'))
    : undefined,
});

report('database opened', `Data is kept in ${services.database.location}`);
report('receivers', `Messages go to ${services.receivers.map(({ destination }) => destination).join(', ')}`);
if (metricsServer) report('metrics', `Metrics are at ${metricsServer.url}`);
report('listening', `The site is at ${describeUrls(config, running.port)}`);

function report(event: string, sentence: string): void {
  if (outputWidth() !== undefined) printLines([sentence]);
  else log.info(event, { message: sentence });
}

async function ensureBuild(): Promise<void> {
  if (findCurrentBuild(dist)) return;
  report('building', 'Building the site for the first time');
  // Imported only here: a server that builds nothing need not load the build tools.
  const { publishSite, BuildError } = await import('../build/publish-site.ts');
  try {
    await publishSite({
      config,
      dist,
      warn: text => report('building', `Warning: ${text}`),
      isNeeded: current => current === undefined,
    });
  } catch (error) {
    if (error instanceof BuildError) exitWithError(...splitMessage(error));
    throw error;
  }
}

function findOutdatedReason(): string | undefined {
  const reason = describeOutdatedBuild(root, findCurrentBuild(dist), config);
  if (!reason) return undefined;
  if (outputWidth() === undefined) log.warn('build outdated', { reason, fix: publishAdvice });
  else printLines([`Serving the last build: ${reason}. To publish: npm run publish-site`]);
  return `${reason}; ${publishAdvice}`;
}
