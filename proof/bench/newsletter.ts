import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join, resolve } from 'node:path';
import { loadEnvironment, readConfig } from '../../src/apps/server/config.ts';
import { wire } from '../../src/apps/server/wire.ts';
import { bringToState, verbDeps } from '../../tests/harness/subscribers.ts';
import type { Figure } from '../figures.ts';
import { chooseServerPlace } from './cores.ts';
import { ensureBuild } from './ensure-build.ts';
import { print, readNumbers } from './options.ts';
import { startOurs } from './servers/ours.ts';
import { differenceOf, median } from './spread.ts';

const root = resolve(import.meta.dirname, '../..');
const kinds = ['new', 'pending', 'confirmed', 'suppressed', 'new again'] as const;
type Kind = (typeof kinds)[number];

/** Posts addresses of each kind in random order over one connection. 'new again' is the control: the same kind as 'new'. */
export async function benchNewsletter(args: string[]): Promise<Figure[]> {
  const { each } = readNumbers(args, { each: [2000, 1, 100_000] });
  await ensureBuild(print);
  await using cleanup = new AsyncDisposableStack();
  const folder = mkdtempSync(join(root, '.cache/bench-newsletter-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const env = { RATE_LIMIT: 'off', NEWSLETTER_MAX_PER_HOUR: '100000', LOG_LEVEL: 'info' };
  const ours = await startOurs({ folder, place: chooseServerPlace() }, env);
  cleanup.defer(ours.stop);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  cleanup.defer(() => agent.destroy());

  const addresses = await prepare(folder, env, each, address => post(agent, ours.port, address));
  print('Addresses of every kind are there');
  const times: Record<Kind, number[]> = {
    new: [],
    pending: [],
    confirmed: [],
    suppressed: [],
    'new again': [],
  };
  for (const { kind, address } of shuffle(addresses)) times[kind].push(await post(agent, ours.port, address));
  return compareKinds(times);
}

/** The range of a difference is the 95 % interval in which it may lie. */
function compareKinds(times: Record<Kind, number[]>): Figure[] {
  const differences = kinds.slice(1).map((kind): Figure => {
    const { difference, low, high } = differenceOf(times[kind], times.new);
    const values = [low, difference, high].map(ms => ms * 1000);
    const name = `${kind} beside a new address, difference of medians`;
    return { name, unit: 'µs', values, goal: '0 within the range' };
  });
  const base = median(times.new) * 1000;
  return [...differences, { name: 'median for a new address', unit: 'µs', values: [base] }];
}

/** The known ones are made known by the verbs of the newsletter, beside the server. */
async function prepare(
  folder: string,
  env: Record<string, string>,
  each: number,
  ask: (address: string) => Promise<number>,
): Promise<{ kind: Kind; address: string }[]> {
  const list = (kind: Kind) =>
    Array.from({ length: each }, (_, index) => ({
      kind,
      address: `${kind.replace(' ', '-')}-${index}@example.com`,
    }));
  const config = readConfig({
    ...loadEnvironment(),
    ...{ ...env, DATA_DIR: join(folder, 'data'), DATABASE_URL: '', LOG_LEVEL: 'error' },
  });
  if (!('config' in config)) throw new Error(config.errors.join('\n'));
  await using site = await wire(config.config);
  const deps = verbDeps(site);
  for (const { address } of list('confirmed')) await bringToState(deps, address, 'confirmed');
  for (const { address } of list('suppressed')) await bringToState(deps, address, 'owner');
  for (const { address } of list('pending')) await ask(address);
  // Until they have been looked at.
  await new Promise(done => setTimeout(done, 10_000));
  return kinds.flatMap(list);
}

function post(agent: Agent, port: number, email: string): Promise<number> {
  const body = JSON.stringify({ email, form: 'home', wording: '' });
  const { promise, resolve: give, reject } = Promise.withResolvers<number>();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const started = performance.now();
  const asked = request(
    { agent, port, host: '127.0.0.1', path: '/api/newsletter', method: 'POST', headers },
    answer => {
      answer.resume();
      answer.once('end', () => {
        if (answer.statusCode === 200) give(performance.now() - started);
        else reject(new Error(`answered ${answer.statusCode}`));
      });
    },
  );
  asked.once('error', reject);
  asked.end(body);
  return promise;
}

function shuffle<T>(items: T[]): T[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [mixed[index], mixed[other]] = [mixed[other] as T, mixed[index] as T];
  }
  return mixed;
}
