import { randomBytes } from 'node:crypto';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createHttpService, type ReceivedRequest } from '../../../tests/fakes/http-service.ts';
import { findLastingPort } from '../../../tests/harness/ports.ts';
import { type Copy, copyProject, type StartedProcess } from '../../../tests/harness/process.ts';
import { paths } from '../../../tests/harness/site-paths.ts';
import { host, isAtLeast, type ProxyKind, proxies } from '../../proxies.ts';
import { numberOf } from '../driver.ts';
import { type Family, NotRun, type Trial } from '../family.ts';
import type { Fixture } from '../fixture.ts';
import { endsWithin } from '../tools.ts';
import { startVisitors } from '../visitors.ts';
import { laterMigrations, plantLaterMigrations } from './later-migrations.ts';

const onPostgres = { databases: ['PostgreSQL'], isLongOnly: true } as const;

/** Several processes on one PostgreSQL behind the proxy of deploy/: whatever becomes of one, no visitor notices. */
export const processes: Family = {
  name: 'processes',
  faults: [
    {
      ...{ ...onPostgres, name: 'two, killed in turn', isLongOnly: false },
      run: fixture => serveWith(fixture, 2, killInTurn),
    },
    { ...onPostgres, name: 'three, killed in turn', run: fixture => serveWith(fixture, 3, killInTurn) },
    {
      ...{ ...onPostgres, name: 'two, replaced by newer builds', plant: plantLaterMigrations },
      run: fixture => serveWith(fixture, 2, replaceInTurn),
    },
    {
      ...{ ...onPostgres, name: 'three, replaced by newer builds', plant: plantLaterMigrations },
      run: fixture => serveWith(fixture, 3, replaceInTurn),
    },
  ],
};

const patienceMs = 30_000;

type Crew = {
  fixture: Fixture;
  processes: StartedProcess[];
  /** Starts a process in the place of one that has ended; resolves when it is there. */
  replace(place: number, copy?: Copy): Promise<void>;
  /** A number of messages more were acknowledged: well under way. */
  goOn(): Promise<void>;
  /** What is needed until the last process has ended. */
  keep: AsyncDisposableStack;
  problems: string[];
};

/** Messages and visitors through the proxy while `trouble` lasts; then everything is delivered, and the sets are compared. */
async function serveWith(
  fixture: Fixture,
  size: number,
  trouble: (crew: Crew) => Promise<number>,
): Promise<Trial> {
  const kind = chooseProxy();
  await using hook = await createHttpService(() => ({ status: 200 }));
  Object.assign(fixture.env, {
    ...{ TRUSTED_PROXIES: '127.0.0.1', DRAIN_MS: '3000', WEBHOOK_URL: hook.url, WEBHOOK_RATE: '100' },
    WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  });
  await using keep = new AsyncDisposableStack();
  const ports: number[] = [];
  while (ports.length < size) ports.push(await findLastingPort());
  const crew: Crew = {
    ...{ fixture, keep, problems: [], processes: [] },
    replace: begin,
    goOn: () => driver.acknowledgedMore(30),
  };

  async function begin(place: number, copy?: Copy): Promise<void> {
    const env = { PORT: String(ports[place]) };
    const next = copy ? copy.start({ ...fixture.env, ...env }) : fixture.start(env);
    crew.processes[place] = next;
    await next.address();
  }

  // One after the other: the first may have to build what all of them serve.
  for (const place of ports.keys()) await begin(place);
  await using proxy = await kind.start(ports);
  const secure = { host, ca: proxy.ca };
  const address = `https://127.0.0.1:${proxy.httpsPort}`;
  // No more than the webhook takes, so that there is little left to deliver at the end.
  const driver = fixture.drive({ connections: 16, perSecond: 40, address: () => address, secure });
  const visitors = startVisitors(address, Object.values(paths), {
    ...{ count: fixture.isShort ? 1 : 2, secure },
  });

  const tries = await trouble(crew);

  await driver.stop();
  const { pages, files, errors } = await visitors.stop();
  for (const { child } of crew.processes) child.kill('SIGTERM');
  await Promise.all(crew.processes.map(({ ended }) => ended));
  await fixture.settle();
  const calls = hook.requests
    .map(seen => readCall(fixture, seen))
    .filter(({ number }) => number !== undefined);
  const { corruption, ...measured } = await fixture.measure([
    { receiver: 'webhook', canBeAsked: false, numbers: calls.map(({ number }) => number as number) },
  ]);
  const problems = [...crew.problems, ...errors, ...findRenamed(calls), ...driver.findOdd(200)];
  if (corruption) problems.push(corruption);
  if (pages === 0 || files === 0) problems.push('no page was read');
  const notes = [
    `behind ${kind.name} ${kind.version}, ${pages} pages and ${files} files of theirs were read`,
  ];
  return { tries, ...measured, problems, notes };
}

/** Killed at any moment; the next one when the first is there again, whether the proxy knows it or not. */
async function killInTurn({ fixture, processes: running, replace, goOn }: Crew): Promise<number> {
  const tries = fixture.scale(60, 1);
  for (let count = 0; count < tries; count += 1) {
    const place = count % running.length;
    await goOn();
    await wait(fixture.random.next() * 200);
    const current = running[place];
    current?.child.kill('SIGKILL');
    await current?.ended;
    await goOn();
    if (!fixture.isShort) await replace(place);
  }
  return tries;
}

/** Replaces all processes one by one, in rounds, each with a build of other pages and one more table. */
async function replaceInTurn(crew: Crew): Promise<number> {
  const { fixture, processes: running, replace, goOn, problems } = crew;
  const rounds = fixture.scale(6, 1);
  const other = crew.keep.use(copyProject());
  plantLaterMigrations(other);
  let [serving, next] = [fixture.copy, other];
  for (let round = 1; round <= rounds; round += 1) {
    await buildAfter(fixture, serving, next, round);
    Object.assign(fixture.env, laterMigrations(round));
    for (const [place, current] of [...running.entries()]) {
      await goOn();
      current.child.kill('SIGTERM');
      const code = await endsWithin(patienceMs, current);
      if (code !== 0) problems.push(`a process that was replaced ended with ${code}`);
      await replace(place, next);
    }
    [serving, next] = [next, serving];
  }
  await goOn();
  return rounds * running.length;
}

async function buildAfter(fixture: Fixture, serving: Copy, next: Copy, round: number): Promise<void> {
  rmSync(join(next.folder, 'dist'), { recursive: true });
  cpSync(join(serving.folder, 'dist'), join(next.folder, 'dist'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  const words = join(next.folder, 'content/home.yaml');
  writeFileSync(words, readFileSync(words, 'utf8').replace(/label: Why .*/, `label: Why us ${round}`));
  const building = next.start(fixture.env, { script: 'src/apps/cli/publish-site.ts' });
  const code = await building.ended;
  if (code !== 0) throw new Error(`the newer build ended with ${code}: ${building.output()}`);
}

/** One that sends a message with a key to the next process when its first is gone. */
function chooseProxy(): ProxyKind {
  const found = proxies.find(
    ({ name, version }) => version && (name === 'nginx' || isAtLeast(version, '2.11')),
  );
  if (!found) throw new NotRun('nginx, or Caddy from 2.11 on');
  return found;
}

type Call = { number: number | undefined; id: string };

/** A notice of ours has no number. */
function readCall({ run }: Fixture, { body, headers }: ReceivedRequest): Call {
  return { number: numberOf(run, JSON.parse(body).data.message ?? ''), id: String(headers['webhook-id']) };
}

/** A receiver recognises a duplicate by its id. */
function findRenamed(calls: readonly Call[]): string[] {
  return [...Map.groupBy(calls, ({ number }) => number)]
    .map(([number, those]) => ({ number, ids: [...new Set(those.map(({ id }) => id))] }))
    .filter(({ ids }) => ids.length > 1)
    .map(({ number, ids }) => `${number}: at the webhook under ${ids.join(', ')}`);
}
