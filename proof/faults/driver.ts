import { Agent, request } from 'node:http';
import { request as requestSecurely, Agent as SecureAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { contactPath, idempotencyHeader } from '../../src/features/messages/contract.ts';
import type { Acknowledgements } from './acknowledgements.ts';
import { onResponse } from './on-response.ts';

export type DriverOptions = {
  connections: number;
  /** Messages a second of all connections together; unset, each sends when it is answered. */
  perSecond?: number;
  /** How long until a message that was refused or cut off is sent again. */
  againMs?: number;
  /** What is refused or cut off is not sent again. */
  givesUp?: boolean;
  /** The first answer to every such number is lost on its way: the message is stored, but not acknowledged. */
  losesEvery?: number;
  /** Where to send now; undefined while no process listens. */
  address(): string | undefined;
  /** For an address of https: the name that is asked for, and who answers for it. */
  secure?: Secure;
  /** Told of every answer, or that there was none. */
  onAnswer?(answer: PostResult): void;
};

export type Secure = { host: string; ca: string };

/** Status 0 is no answer at all. */
export type PostResult = { status: number; reference?: string; retryAfter?: string; ms: number };

export type DriverFigures = {
  sent: number;
  acknowledged: number;
  /** Answers by status; 0 is none. */
  statuses: Map<number, number>;
  /** The longest time without a 200 in which a request failed. */
  longestUnavailableMs: number;
};

export type Driver = {
  figures(): DriverFigures;
  /** A sentence for each status that is none of these. */
  findOdd(...expected: number[]): string[];
  /** Resolves when so many more were acknowledged, or the driver was stopped. */
  acknowledgedMore(count: number): Promise<void>;
  /** What was sent already is waited for; what was not acknowledged by then never is. */
  stop(): Promise<DriverFigures>;
};

/** Each message is known by its number, and a message that is sent again keeps its key, as the contact form does it. */
export function textOf(run: string, number: number): string {
  return `Message number ${number} of run ${run}`;
}

export function numberOf(run: string, text: string): number | undefined {
  const found = /^Message number (\d+) of run (.+)$/.exec(text);
  return found?.[2] === run ? Number(found[1]) : undefined;
}

/** Sends numbered messages until it is stopped; `from` is the first number, so that drivers of one run never share any. */
export function startDriver(
  { run, from, acknowledgements }: { run: string; from: number; acknowledgements: Acknowledgements },
  { connections, perSecond, againMs = 20, givesUp, losesEvery, address, secure, onAnswer }: DriverOptions,
): Driver {
  const driven: DriverFigures = { sent: 0, acknowledged: 0, statuses: new Map(), longestUnavailableMs: 0 };
  const agents: Agent[] = [];
  let isOpen = true;
  /** Unset before the first response: until then the server may be starting. */
  let wellAt: number | undefined;
  let hasFailed = false;
  let nextTurn = performance.now();

  async function connect(): Promise<void> {
    const agent = createAgent(secure);
    agents.push(agent);
    while (isOpen) {
      await takeTurn();
      if (!isOpen) break;
      driven.sent += 1;
      await insist(agent, from + driven.sent - 1);
    }
    agent.destroy();
  }

  async function takeTurn(): Promise<void> {
    if (!perSecond) return;
    nextTurn = Math.max(nextTurn + 1000 / perSecond, performance.now() - 100);
    const pauseMs = nextTurn - performance.now();
    if (pauseMs > 0) await wait(pauseMs);
  }

  async function insist(agent: Agent, number: number): Promise<void> {
    let isLosing = losesEvery !== undefined && number % losesEvery === 0;
    while (isOpen) {
      const to = address();
      const answered: PostResult = to ? await post({ to, agent, secure }, run, number) : { status: 0, ms: 0 };
      const { status, reference } = answered;
      onAnswer?.(answered);
      driven.statuses.set(status, (driven.statuses.get(status) ?? 0) + 1);
      if (reference !== undefined && isLosing) {
        isLosing = false;
        continue;
      }
      if (reference !== undefined) {
        await acknowledgements.note(number, reference);
        driven.acknowledged += 1;
        noteGap();
        return;
      }
      hasFailed = true;
      if (givesUp) return;
      await wait(againMs);
    }
  }

  function noteGap(): void {
    const now = performance.now();
    if (hasFailed && wellAt !== undefined)
      driven.longestUnavailableMs = Math.max(driven.longestUnavailableMs, now - wellAt);
    hasFailed = false;
    wellAt = now;
  }

  const work = Promise.all(Array.from({ length: connections }, connect));
  return {
    figures: () => driven,
    findOdd: (...expected) =>
      [...driven.statuses]
        .filter(([status]) => !expected.includes(status))
        .map(([status, count]) => `${count} answers of ${status}`),
    async acknowledgedMore(count) {
      const enough = driven.acknowledged + count;
      while (isOpen && driven.acknowledged < enough) await wait(5);
    },
    async stop() {
      isOpen = false;
      await work;
      noteGap();
      return driven;
    },
  };
}

/** Longer than the product itself waits for its database. */
const patienceMs = 15_000;

/** One connection, for as long as it lasts. */
export function createAgent(secure: Secure | undefined): Agent {
  const options = { keepAlive: true, maxSockets: 1 };
  return secure
    ? new SecureAgent({ ...options, ca: secure.ca, servername: secure.host })
    : new Agent(options);
}

function post(
  { to, agent, secure }: { to: string; agent: Agent; secure: Secure | undefined },
  run: string,
  number: number,
): Promise<PostResult> {
  const body = JSON.stringify({ name: `Visitor ${number}`, message: textOf(run, number) });
  const { promise, resolve } = Promise.withResolvers<PostResult>();
  const started = performance.now();
  const ms = () => performance.now() - started;
  const none = () => resolve({ status: 0, ms: ms() });
  const asked = (secure ? requestSecurely : request)(`${to}${contactPath}`, {
    method: 'POST',
    agent,
    headers: {
      ...(secure && { host: secure.host }),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      [idempotencyHeader]: `${run}-${number}`,
    },
    timeout: patienceMs,
  });
  onResponse(asked, {
    none,
    whole: ({ statusCode: status = 0, headers }, text) => {
      const retryAfter = headers['retry-after'];
      if (status !== 200) return resolve({ status, ms: ms(), ...(retryAfter ? { retryAfter } : {}) });
      resolve({ status, ms: ms(), reference: JSON.parse(text).reference });
    },
  });
  asked.end(body);
  return promise;
}
