import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { readConfig } from '../../../src/apps/server/config.ts';
import { serve } from '../../../src/apps/server/serve.ts';
import { wire } from '../../../src/apps/server/wire.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { findCurrentBuild } from '../../../src/core/http/current-build.ts';
import { headerSettings } from '../../../src/core/http/headers.ts';
import { loadFiles } from '../../../src/core/http/static-files.ts';
import { createProcessLog } from '../../../src/core/process-log.ts';
import { loadEnvironment } from '../../../src/core/settings/environment.ts';
import { createAuditFeature } from '../../../src/features/audit/feature.ts';
import { createAuditRunner, findAuditProgram } from '../../../src/features/audit/requests/audit-runner.ts';
import type { BenchSettings, Speed } from './process.ts';

type Given = { names: Record<Speed, string[]>; delaysMs: BenchSettings['delaysMs'] };

/** The server as `npm start` runs it, but for what its audits connect to. Argument: names and delays as JSON. */
const result = readConfig(loadEnvironment());
if ('errors' in result) throw new Error(result.errors.join('\n'));
const { config } = result;
const { names, delaysMs }: Given = JSON.parse(process.argv[2] ?? '{}');
const build = findCurrentBuild('dist') ?? 'dist';
const { grading } = findAuditProgram(build);
const file = join(config.dataDir, 'audit-process.mjs');
await bundle('process.ts', file);
const internet = fork(new URL('./internet.ts', import.meta.url), [
  JSON.stringify([...names.slow, ...names.fast]),
]);
const [reach] = (await once(internet, 'message')) as [BenchSettings['reach']];
const runner = createAuditRunner({
  ...{ log: createProcessLog(config), clock: systemClock, settings: { reach, delaysMs } },
  findProgram: () => ({ file, grading }),
});
const services = await wire(config, { features: [createAuditFeature({ runner })] });
const { port, stop } = await serve(services, loadFiles(build, headerSettings(config)));
await services.worker.start();
for (const { prepare } of services.started.all) prepare?.();
process.once('SIGTERM', () => stop().then(() => process.exit(0)));
process.stdout.write(`The site is at http://localhost:${port}\n`);

/** As the build does with src/features/audit/requests/audit-process.ts. */
async function bundle(source: string, file: string): Promise<void> {
  mkdirSync(config.dataDir, { recursive: true });
  const build = await rolldown({ input: join(import.meta.dirname, source), platform: 'node' });
  await build.write({ file, format: 'esm' });
  await build.close();
}
