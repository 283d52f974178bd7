import { readCpuSeconds } from './cpu.ts';
import { type LoadOrder, type LoadResult, runLoad } from './load.ts';
import { print } from './options.ts';
import type { BenchServer } from './servers/ours.ts';

export type Contestant = { name: string; servers: readonly Pick<BenchServer, 'pid' | 'port'>[] };
/** `cpuSeconds`: of its first server, where the system tells. */
export type Turn = LoadResult & { cpuSeconds: number };
export type LoadOptions = { rounds: number; seconds: number; connections: number };

/**
 * The same load for each of them in turns; the first round warms up and is not kept. The order turns by one each round, so that
 * none always follows the same neighbour. A group has as many connections for each server.
 */
export async function takeTurns(
  contestants: readonly Contestant[],
  { rounds, seconds, connections }: LoadOptions,
  order: Pick<LoadOrder, 'path' | 'post'>,
  beforeRound: () => unknown = () => undefined,
): Promise<Record<string, Turn>[]> {
  const kept: Record<string, Turn>[] = [];
  for (let number = 0; number <= rounds; number++) {
    await beforeRound();
    const round: Record<string, Turn> = {};
    const first = number % contestants.length;
    for (const { name, servers } of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const pid = servers[0]?.pid as number;
      const before = readCpuSeconds(pid) ?? Number.NaN;
      const result = await runLoad({
        ...order,
        ports: servers.map(({ port }) => port),
        connections: connections * servers.length,
        seconds: number === 0 ? Math.min(3, seconds) : seconds,
      });
      round[name] = { ...result, cpuSeconds: (readCpuSeconds(pid) ?? Number.NaN) - before };
    }
    print(number === 0 ? 'Warmed up' : `Round ${number} of ${rounds} done`);
    if (number > 0) kept.push(round);
  }
  return kept;
}

export const rate = ({ requests, seconds }: Turn) => requests / seconds;
export const cpuMicros = ({ cpuSeconds, requests }: Turn) => (cpuSeconds / requests) * 1e6;

/** Of one contestant in each round, or of two beside each other. */
export function over(rounds: Record<string, Turn>[], name: string, pick: (turn: Turn) => number): number[] {
  return rounds.map(round => (round[name] ? pick(round[name]) : Number.NaN));
}

export function ratio(
  rounds: Record<string, Turn>[],
  [name, other]: [string, string],
  pick: (turn: Turn) => number,
): number[] {
  const others = over(rounds, other, pick);
  return over(rounds, name, pick).map((value, round) => value / (others[round] as number));
}
