import { createAuditRunner } from '../../../src/server/audit-runner.ts';
import { loadEnvironment, readConfig } from '../../../src/server/config.ts';
import { findCurrentBuild } from '../../../src/server/current-build.ts';
import { headerSettings } from '../../../src/server/headers.ts';
import { serve } from '../../../src/server/serve.ts';
import { loadFiles } from '../../../src/server/static-files.ts';
import { createProcessLog, wire } from '../../../src/server/wire.ts';

/** The server as `npm start` runs it, but for what its audit thread connects to. Argument: names and delays as JSON. */
const result = readConfig(loadEnvironment());
if ('errors' in result) throw new Error(result.errors.join('\n'));
const { config } = result;
const build = findCurrentBuild('dist') ?? 'dist';
const auditRunner = createAuditRunner({
  ...{ log: createProcessLog(config), workerData: JSON.parse(process.argv[2] ?? '{}') },
  file: new URL('./thread.ts', import.meta.url),
  findContent: () => 'content',
});
const services = await wire(config, { auditRunner });
const { port, stop } = await serve(services, loadFiles(build, headerSettings(config)));
await services.worker.start();
process.once('SIGTERM', () => stop().then(() => process.exit(0)));
process.stdout.write(`The site is at http://localhost:${port}\n`);
