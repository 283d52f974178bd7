import { resolve } from 'node:path';
import { describeDifference, readFingerprint, takeFingerprint } from '../build/fingerprint.ts';
import { configOrExit } from '../server/config.ts';
import { holdFiles } from '../server/files.ts';
import { type Running, serve } from '../server/serve.ts';
import { wire } from '../server/wire.ts';
import { complain, explain, shownAddress } from './complain.ts';

const root = resolve(import.meta.dirname, '../..');
const outDir = resolve(root, 'dist');

const config = configOrExit();
await ensureBuild();
const running = await start();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    running.stop().then(
      () => process.exit(0),
      error => complain(explain(error)),
    );
  });
}

process.stdout.write(`The site is at ${shownAddress(config.host, running.port)}\n`);

/** Builds where the build differs from what is about to be served, and refuses where it cannot. */
async function ensureBuild(): Promise<void> {
  const wanted = takeFingerprint(root, config);
  const built = readFingerprint(outDir);
  const difference = built ? describeDifference(built, wanted) : 'there is no build in dist/';
  if (!difference) return;
  if (!canBuild()) {
    complain(
      `The build does not fit: ${difference}. Run 'npm run build' where the build tools are installed.`,
    );
  }
  process.stdout.write(`Building the site (${difference})\n`);
  const { buildSite, BuildRefusal } = await import('../build/build-site.ts');
  try {
    await buildSite({ config, outDir, say: line => process.stdout.write(`${line}\n`) });
  } catch (error) {
    if (error instanceof BuildRefusal) complain(error.message);
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

async function start(): Promise<Running> {
  const wired = await wire(config).catch(error => complain(explain(error, config)));
  process.stdout.write(`Data is kept in ${wired.store.place}\n`);
  try {
    return await serve(wired, holdFiles(outDir));
  } catch (error) {
    await wired[Symbol.asyncDispose]();
    return complain(explain(error, config));
  }
}
