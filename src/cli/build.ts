import { resolve } from 'node:path';
import { BuildRefusal, buildSite } from '../build/build-site.ts';
import { configOrExit } from '../server/config.ts';
import { complain } from './complain.ts';

const config = configOrExit();
const outDir = resolve(import.meta.dirname, '../../dist');
const started = performance.now();
try {
  await buildSite({
    config,
    outDir,
    after: outDir,
    say: line => process.stdout.write(`${line}\n`),
  });
} catch (error) {
  if (error instanceof BuildRefusal) complain(error.message);
  throw error;
}
const seconds = ((performance.now() - started) / 1000).toFixed(1);
process.stdout.write(`Built into dist/ in ${seconds} s${config.siteUrl ? ` for ${config.siteUrl}` : ''}\n`);
