import { setTimeout as wait } from 'node:timers/promises';
import type { DriverOptions, PostResult } from '../driver.ts';
import type { Fixture } from '../fixture.ts';
import { readProcess, startVisitor } from './watch.ts';

/** What was seen of one load. Only what was answered while it lasted counts for the rates. */
export type Load = {
  answers: PostResult[];
  /** Answers, and those of 200, for each second. */
  perSecond: number;
  accepted: number;
  /** Milliseconds of each page that another visitor opened meanwhile, and the number that failed. */
  pages: number[];
  missingPages: number;
  /** The most that the process held meanwhile. */
  memoryMb: number;
};

type LoadOptions = Pick<DriverOptions, 'connections' | 'perSecond' | 'againMs' | 'givesUp'>;

export type Probe = { sentAt: number } & PostResult;

/** Loads a server and looks at it from outside, as its visitors and its machine see it. */
export function createLoads(fixture: Fixture, address: string, pid: number | undefined) {
  const visitor = startVisitor(fixture, address);

  /** `settleSeconds` are not measured: the first requests find an empty queue. `onOver`: called after the last request. */
  async function load(
    options: LoadOptions,
    { seconds, settleSeconds = 0, onOver }: { seconds: number; settleSeconds?: number; onOver?: () => void },
  ): Promise<Load> {
    const answers: PostResult[] = [];
    const driver = fixture.drive({
      ...options,
      address: () => address,
      onAnswer: answer => void answers.push(answer),
    });
    await wait(settleSeconds * 1000);
    await visitor.take();
    const before = answers.length;
    const started = performance.now();
    const memoryMb = await watchMemory(seconds);
    const tookSeconds = (performance.now() - started) / 1000;
    const within = answers.slice(before);
    const { ms: pages, failed: missingPages } = await visitor.take();
    onOver?.();
    await driver.stop();
    return {
      answers,
      perSecond: within.length / tookSeconds,
      accepted: within.filter(({ status }) => status === 200).length / tookSeconds,
      ...{ pages, missingPages, memoryMb },
    };
  }

  async function watchMemory(seconds: number): Promise<number> {
    let most = 0;
    for (const until = performance.now() + seconds * 1000; performance.now() < until; await wait(250))
      most = Math.max(most, readProcess(pid).memoryMb);
    return most;
  }

  /** A message now and then, each on its way whether or not the one before it was answered. */
  async function probe(seconds: number): Promise<Probe[]> {
    const probes: Probe[] = [];
    const driver = fixture.drive({
      ...{ connections: 40, perSecond: 4, givesUp: true },
      address: () => address,
      onAnswer: answer => void probes.push({ ...answer, sentAt: performance.now() - answer.ms }),
    });
    await wait(seconds * 1000);
    await driver.stop();
    return probes;
  }

  return { load, probe, takePages: () => visitor.take() };
}
