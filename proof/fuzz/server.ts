import { createInterface } from 'node:readline';
import { type Copy, copyProject } from '../../tests/harness/process.ts';
import { bounceSecret } from './request-arbitraries.ts';
import { personalMarker } from './text-arbitraries.ts';

/** Of a process after its garbage was collected. */
export type Figures = { heapMb: number; rssMb: number; sockets: number };

export type FuzzedServer = AsyncDisposable & {
  port: number;
  /** What is wrong with what it printed so far. */
  complaints: string[];
  lines(): number;
  measure(): Promise<Figures>;
};

/** The server as a process of its own, with the door for debuggers open: it collects garbage when it is told to. */
export async function startFuzzed(env: Record<string, string>): Promise<FuzzedServer> {
  const copy: Copy = copyProject();
  const { child, address, output } = copy.start({
    NODE_OPTIONS: '--inspect=127.0.0.1:0',
    NEWSLETTER_WEBHOOK_SECRET: `whsec_${bounceSecret.toString('base64')}`,
    LOG_LEVEL: 'debug',
    ...env,
  });
  const complaints: string[] = [];
  let lines = 0;
  createInterface({ input: child.stdout as NodeJS.ReadableStream, crlfDelay: 0 }).on('line', line => {
    lines += 1;
    const complaint = checkLogLine(line);
    if (complaint && complaints.length < 10) complaints.push(`${complaint}: ${line}`);
  });
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', line => {
    if (line && !ofDebugger.test(line)) complaints.push(`not for the log: ${line}`);
  });
  child.once('exit', code => complaints.push(`the process ended with ${code}`));
  const port = Number(new URL(await address()).port);
  const door = /ws:\/\/\S+/.exec(output())?.[0] ?? '';
  return {
    port,
    complaints,
    lines: () => lines,
    measure: () => measure(door),
    [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose](),
  };
}

const ofDebugger = /^(Debugger (listening|attached|ending)|For help, see: https:\/\/nodejs\.org)/;

/** One object to a line, nothing that failed, and nothing that a visitor said of himself. */
export function checkLogLine(line: string): string | undefined {
  if (line.includes(personalMarker)) return 'personal';
  try {
    const { time, level, event } = JSON.parse(line);
    if (![time, level, event].every(one => typeof one === 'string')) return 'no line of the log';
    return level === 'error' ? 'a failure' : undefined;
  } catch {
    return 'no JSON';
  }
}

const look = `JSON.stringify({
  memory: process.memoryUsage(),
  resources: process.getActiveResourcesInfo(),
  polluted: Object.keys(Object.prototype),
})`;

async function measure(door: string): Promise<Figures> {
  const socket = new WebSocket(door);
  let last = 0;
  const call = (method: string, params = {}) =>
    new Promise<{ result?: { value: string } }>((resolve, reject) => {
      const id = ++last;
      const hear = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        socket.removeEventListener('message', hear);
        resolve(answer.result);
      };
      socket.addEventListener('message', hear);
      socket.addEventListener('close', () => reject(new Error('the process is gone')));
      socket.send(JSON.stringify({ id, method, params }));
    });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error('the process is gone')));
  });
  for (let round = 0; round < 3; round += 1) await call('HeapProfiler.collectGarbage');
  const { result } = await call('Runtime.evaluate', { expression: look });
  socket.close();
  const { memory, resources, polluted } = JSON.parse(result?.value ?? '{}');
  if (polluted.length > 0) throw new Error(`every object has ${polluted}`);
  const mb = (size: number) => Math.round((size / 1024 / 1024) * 10) / 10;
  return {
    heapMb: mb(memory.heapUsed + memory.external),
    rssMb: mb(memory.rss),
    sockets: resources.filter((name: string) => name === 'TCPSocketWrap').length,
  };
}
