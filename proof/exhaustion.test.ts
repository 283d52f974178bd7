import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactPath } from '../src/features/messages/contract.ts';
import { limits } from '../src/lib/limits.ts';
import { type Copy, copyProject, type StartedProcess } from '../tests/harness/process.ts';
import { sendRaw } from '../tests/harness/raw-http.ts';
import { chunkedForm, cpuSecondsOf } from './exhaustion.ts';

/** A process of its own: its CPU time is not that of the tests. */
let copy: Copy;
let server: StartedProcess;
let port: number;
beforeAll(async () => {
  copy = copyProject();
  server = copy.start({ METRICS_PORT: '0' });
  port = Number(new URL(await server.address()).port);
}, 60_000);
afterAll(() => copy[Symbol.asyncDispose]());

const times = 3;
const repeat = async (work: () => Promise<unknown>) => {
  for (let count = 0; count < times; count += 1) await work();
};

/** As long as a form may be, which in chunks of one byte takes 2.3 MB. */
test.each([
  ['a form', contactPath],
  ['what no endpoint reads', '/api/nothing'],
  ['what is not there', '/nothing'],
])(
  'one-byte chunks for %s cost little more CPU time than a form of as many bytes in honest chunks',
  {
    timeout: 120_000,
  },
  async (_, path) => {
    const honest = chunkedForm(contactPath, limits.maxFormBytes / 1536, 1536);
    const attack = chunkedForm(path, limits.maxFormBytes, 1);
    await sendRaw(port, honest, 1);
    const honestSeconds = await cpuSecondsOf(server, () => repeat(() => sendRaw(port, honest, 1)));
    const attackSeconds = await cpuSecondsOf(server, () => repeat(() => sendRaw(port, attack, 1)));
    expect(attackSeconds).toBeLessThan(5 * honestSeconds);
  },
);
