import { loadEnvironment } from '../../src/server/config.ts';
import { startFakes } from './start-fakes.ts';

// They live as long as the process does.
await startFakes(loadEnvironment(), line => process.stdout.write(`${line}\n`));
await import('../../src/cli/dev.ts');
