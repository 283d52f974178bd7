import { setTimeout as wait } from 'node:timers/promises';
import type { Answered, DriverOptions } from '../driver.ts';
import type { Ground } from '../ground.ts';
import { readProcess, startVisitor } from './watch.ts';

/** What was seen of one load. Only what was answered while it lasted counts for the rates. */
export type Load = {
  answers: Answered[];
  /** Answers, and those of 200, for each second. */
  perSecond: number;
  accepted: number;
  /** Milliseconds of each page that somebody else opened meanwhile, and those that were not shown. */
  pages: number[];
  missingPages: number;
  /** The most that the process held meanwhile. */
  memoryMb: number;
};

type LoadOptions = Pick<DriverOptions, 'connections' | 'perSecond' | 'againMs' | 'givesUp'>;

export type Probe = { sentAt: number } & Answered;

/** Loads a server and looks at it from outside, as its visitors and its machine see it. */
export function createLoads(ground: Ground, address: string, pid: number | undefined) {
  const visitor = startVisitor(ground, address);

  /** `settleSeconds` belong to no figure: whoever comes first finds nobody before them. `onOver`: nobody sends any more. */
  async function load(
    options: LoadOptions,
    { seconds, settleSeconds = 0, onOver }: { seconds: number; settleSeconds?: number; onOver?: () => void },
  ): Promise<Load> {
    const answers: Answered[] = [];
    const driver = ground.drive({
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
    const driver = ground.drive({
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
