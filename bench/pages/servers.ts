import { startSite } from '../../tests/harness/site.ts';

/** Serves each build that it is given from our own server, in a process of its own, and prints where. */
await using sites = new AsyncDisposableStack();
const origins: Record<string, string> = {};
for (const given of process.argv.slice(2)) {
  const [name = '', outDir] = given.split('=');
  origins[name] = sites.use(await startSite({}, {}, outDir)).origin;
}
process.stdout.write(`Serving ${JSON.stringify(origins)}\n`);
await new Promise(ended => process.once('SIGTERM', ended));
