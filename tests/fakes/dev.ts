import { loadEnvironment } from '../../src/core/settings/environment.ts';
import { startFakes } from './start-fakes.ts';

// They live as long as the process does.
const { overrides } = await startFakes(loadEnvironment(), line => process.stdout.write(`${line}\n`));
const { runDev } = await import('../../src/apps/cli/dev/run-dev.ts');
await runDev(overrides);
