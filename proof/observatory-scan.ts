import { registerHooks } from 'node:module';
import { Socket } from 'node:net';

export type Observed = {
  address: string;
  grade: string;
  score: number;
  tests: Record<string, { pass: boolean; result: string }>;
};

/** With LOCAL_PORTS (`{"443":…,"80":…}`) every connection goes to this machine, whatever its host. */
const localPorts: Record<string, number> = JSON.parse(process.env.LOCAL_PORTS ?? '{}');
if (process.env.LOCAL_PORTS) {
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    const [first] = args;
    const options = (Array.isArray(first) ? first[0] : first) as { host: string; port: number };
    const port = localPorts[String(options.port)];
    if (!port) throw new Error(`a connection to port ${options.port}`);
    Object.assign(options, { host: '127.0.0.1', port });
    return Reflect.apply(connect, this, args);
  } as typeof connect;
}

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
