import { resolve } from 'node:path';
import { BuildError, buildSite } from '../build/build-site.ts';
import { exitWithError, readConfigOrExit, splitMessage } from './print-error.ts';
import { printLines, printUncaughtErrors } from './terminal.ts';

printUncaughtErrors();
const config = readConfigOrExit();
const outDir = resolve(import.meta.dirname, '../../dist');
const started = performance.now();
try {
  await buildSite({
    config,
    outDir,
    previousBuild: outDir,
    print: line => printLines([line]),
  });
} catch (error) {
  if (error instanceof BuildError) exitWithError(...splitMessage(error));
  throw error;
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
printLines([`Built dist/ in ${seconds} s${config.siteUrl ? ` for ${config.siteUrl}` : ''}`]);
