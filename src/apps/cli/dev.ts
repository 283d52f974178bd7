import { runDev } from './dev/run-dev.ts';

await runDev();
