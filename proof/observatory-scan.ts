import { registerHooks } from 'node:module';

export type Observed = {
  address: string;
  grade: string;
  score: number;
  tests: Record<string, { pass: boolean; result: string }>;
};

/** A process of its own, because NODE_EXTRA_CA_CERTS is read at the start. The HSTS preload list is not downloaded here. */
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/mdn-http-observatory/src/analyzer/hsts.js')) return next(url, context);
    return { format: 'module', source: 'export const isHstsPreloaded = () => null;', shortCircuit: true };
  },
});

const { scan } = await import(import.meta.resolve('@mdn/mdn-http-observatory/src/scanner/index.js'));
const observed: Observed[] = [];
for (const address of process.argv.slice(2)) {
  // Meant for the name of a host; a port and a path after it go where they should.
  const { scan: found, tests } = await scan(address.replace('https://', ''));
  observed.push({ address, grade: found.grade, score: found.score, tests });
}
process.stdout.write(JSON.stringify(observed));
