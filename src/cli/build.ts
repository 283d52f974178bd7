import { buildOrExit, readConfigOrExit } from './exit-on-error.ts';
import { printLines, printUncaughtErrors } from './terminal.ts';

printUncaughtErrors();
const config = readConfigOrExit();
const started = performance.now();
await buildOrExit(config, line => printLines([line]));
const seconds = ((performance.now() - started) / 1000).toFixed(1);
printLines([`Built dist/ in ${seconds} s${config.siteUrl ? ` for ${config.siteUrl}` : ''}`]);
