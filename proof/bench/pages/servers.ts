import { startSite } from '../../../tests/harness/site.ts';
import { createWire } from './wire.ts';

/** Serves each build that it is given, behind a wire, in a process of its own, and prints where. */
const [roundTripMs, ...given] = process.argv.slice(2);
await using stack = new AsyncDisposableStack();
const origins: Record<string, string> = {};
for (const one of given) {
  const [name = '', outDir] = one.split('=');
  const site = stack.use(await startSite({}, {}, outDir));
  origins[name] = stack.use(await createWire(site.origin, Number(roundTripMs))).origin;
}
process.stdout.write(`Serving ${JSON.stringify(origins)}\n`);
await new Promise(ended => process.once('SIGTERM', ended));
