import { resolve } from 'node:path';
import { readNotedPosts, watchDuePosts } from '../build/blog/due-posts.ts';
import { findMisfit } from '../build/fingerprint.ts';
import { type Files, holdFiles } from '../server/files.ts';
import { headerSettings } from '../server/headers.ts';
import { watchSecurityTxt } from '../server/security-txt.ts';
import { serve } from '../server/serve.ts';
import { serveMetrics } from '../server/serve-metrics.ts';
import { createProcessLog, wire } from '../server/wire.ts';
import {
  complain,
  configOrExit,
  explainListening,
  explainMetrics,
  explainStore,
  linesOf,
  reason,
  shownAddress,
} from './complain.ts';
import { outputWidth, printFaults, printLines } from './terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const outDir = resolve(root, 'dist');

printFaults();
const config = configOrExit();
const log = createProcessLog(config);
await ensureBuild();
const files = holdBuild();
const hasPage = (path: string) => files.get(path)?.kind === 'page';
const wired = await wire(config, { log, hasPage }).catch(error => complain(explainStore(error, config)));
prepareLetters();
const measuring = await serveMetrics(wired).catch(error => complain(explainMetrics(error, config)));
const running = await serve(wired, files).catch(error => complain(explainListening(error, config)));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    running.stop().then(
      () => process.exit(0),
      error => complain(reason(error)),
    );
  });
}

// Nothing can be stored until the next start, so there is nothing to wait for.
wired.broken.then(() => running.stop(0).finally(() => process.exit(1)));
if (config.outbox === 'inside') await wired.worker.start();
if (!wired.newsletter.links)
  log.warn('SITE_URL not set', { why: 'letters to readers need it for their links, and wait' });
watchSecurityTxt(files, wired);
watchDuePosts(readNotedPosts(outDir), wired);

const address = shownAddress(config.host, running.port);
say('data', `Data is kept in ${wired.store.place}`);
say('receivers', `Messages go to ${wired.receivers.map(({ place }) => place).join(', ')}`);
if (measuring) say('metrics', `Metrics are at ${measuring.address}`);
say('listening', `The site is at ${address}`);

/** A sentence for the person at a terminal, a line of the log for everything else. */
function say(event: string, sentence: string): void {
  if (outputWidth() !== undefined) printLines([sentence]);
  else log.info(event, { message: sentence });
}

/** Builds where the build differs from what is about to be served, and refuses where it cannot. */
async function ensureBuild(): Promise<void> {
  const misfit = findMisfit(root, outDir, config);
  if (!misfit) return;
  if (!canBuild()) {
    complain(
      `The build in dist/ does not fit: ${misfit}. Run 'npm run build' where the build tools are installed.`,
    );
  }
  say('building', `Building the site (${misfit})`);
  const { buildSite, BuildRefusal } = await import('../build/build-site.ts');
  try {
    await buildSite({ config, outDir, after: outDir, say: line => say('building', line) });
  } catch (error) {
    if (error instanceof BuildRefusal) complain(...linesOf(error));
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

/** A build without its tools does not read the words again; letters do. */
function prepareLetters(): void {
  try {
    wired.newsletter.prepare();
  } catch (error) {
    complain(...linesOf(error));
  }
}

function holdBuild(): Files {
  try {
    return holdFiles(outDir, headerSettings(config));
  } catch (error) {
    return complain(reason(error));
  }
}
