import type { Outcome, Parcel, Receiver, ReceiverName } from '../deliveries/delivery.ts';
import { errorFields } from '../lib/log.ts';
import type { Delivery, Settlement } from '../store/outbox.ts';
import { pauseAfter } from './backoff.ts';
import { erasedWhy, readNotice, type Trouble } from './chores.ts';
import { createPace } from './pace.ts';
import type { WorkerDeps } from './worker.ts';

export type Line = { start(): void; look(): void; stop(): Promise<void> };

/** A poll is the net under the nudge: it finds what another process stored, or what it dropped. */
const pollMs = 5000;
const attemptMs = 40_000;
/** Longer than any attempt, so that a lease runs out only when its process is gone. */
const leaseMs = 120_000;
const patienceMs = 4000;
/** What a receiver has after the cut to say how it ended; one that says nothing is left behind. */
const lastWordMs = 1000;

type Report = (receiver: ReceiverName, trouble: Trouble, why: string) => Promise<void>;

/** One receiver's deliveries: claim what is due, deliver it outside any transaction, settle what is still ours. */
export function createLine(deps: WorkerDeps, receiver: Receiver, report: Report): Line {
  const { outbox, clock, ids, log } = deps;
  const { name } = receiver;
  const pace = createPace(receiver.perSecond);
  const underWay = new Map<string, { delivery: Delivery; attempt: Promise<void> }>();
  const leaving = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isNudged = false;
  let isOpen = false;

  function look(): void {
    isNudged = true;
    if (!isOpen || looking) return;
    looking = work();
  }

  async function work(): Promise<void> {
    clearTimeout(timer);
    let waitMs = pollMs;
    try {
      do {
        isNudged = false;
        waitMs = await begin();
      } while (isOpen && (isNudged || waitMs === 0));
    } catch (error) {
      log.error('outbox not readable', { receiver: name, ...errorFields(error) });
    }
    looking = undefined;
    if (isOpen) timer = setTimeout(look, Math.min(waitMs, pollMs));
  }

  /** Begins as many attempts as are due and allowed. How long until it is worth while to look again. */
  async function begin(): Promise<number> {
    const free = receiver.concurrency - underWay.size;
    const limit = Math.min(free, pace.available());
    if (free <= 0) return pollMs;
    if (limit <= 0) return pace.waitMs();
    if (await isPaused()) return pollMs;
    const now = clock.now();
    const next = await outbox.nextDue(name);
    if (next === undefined) return pollMs;
    const untilNext = Date.parse(next) - now.getTime();
    if (untilNext > 0) return untilNext;
    if (!isOpen) return pollMs;
    const claimed = await outbox.claim({
      receiver: name,
      now: now.toISOString(),
      lease: ids.request(),
      leaseUntil: new Date(now.getTime() + leaseMs).toISOString(),
      limit,
    });
    for (const delivery of claimed) send(delivery);
    return claimed.length > 0 ? 0 : pollMs;
  }

  function send(delivery: Delivery): void {
    const { reference, lease } = delivery;
    const known = underWay.get(reference);
    // A clock that jumps ahead ends leases early: what is under way here is held on to, and not sent beside itself.
    if (known) {
      known.delivery.lease = lease;
      return;
    }
    pace.take();
    const attempt = settleAttempt(delivery).finally(() => {
      underWay.delete(reference);
      look();
    });
    underWay.set(reference, { delivery, attempt });
  }

  async function isPaused(): Promise<boolean> {
    return (await outbox.listPaused()).some(paused => paused.name === name);
  }

  async function settleAttempt(delivery: Delivery): Promise<void> {
    try {
      const tried = await attempt(delivery);
      // Before the delivery is let go, or it would be claimed again at once.
      if (tried.outcome.kind === 'refused') await pause(tried.outcome.why);
      const isOurs = await outbox.settle(delivery, judge(delivery, tried));
      const { reference } = delivery;
      if (!isOurs) log.warn('delivery settled by another', { receiver: name, reference });
      else await tell(delivery, tried);
    } catch (error) {
      // Its lease runs out, and whoever claims it then knows that it may have arrived.
      log.error('delivery not settled', { receiver: name, ...errorFields(error) });
    }
  }

  type Tried = { outcome: Outcome; isAmbiguous: boolean; isPossiblyTwice: boolean };

  async function attempt(delivery: Delivery): Promise<Tried> {
    const signal = AbortSignal.any([AbortSignal.timeout(attemptMs), leaving.signal]);
    let isAmbiguous = delivery.is_ambiguous === 1;
    let isPossiblyTwice = delivery.is_possibly_twice === 1;
    try {
      const parcel = await readParcel(deps, delivery);
      if (!parcel) return { outcome: erased, isAmbiguous, isPossiblyTwice };
      if (isAmbiguous && !receiver.isUpserting) {
        if (!receiver.find) isPossiblyTwice = true;
        else if (await untilCut(receiver.find(parcel, signal), signal)) {
          return { outcome: { kind: 'delivered' }, isAmbiguous: false, isPossiblyTwice };
        } else isAmbiguous = false;
      }
      signal.throwIfAborted();
      const outcome = await deliver(parcel, isPossiblyTwice, signal);
      isAmbiguous ||= outcome.kind === 'failed' && outcome.isAmbiguous;
      return { outcome, isAmbiguous, isPossiblyTwice };
    } catch (error) {
      const why = `could not be asked: ${error instanceof Error ? error.message : String(error)}`;
      return { outcome: { kind: 'failed', why, isAmbiguous }, isAmbiguous, isPossiblyTwice };
    }
  }

  async function deliver(parcel: Parcel, isPossiblyTwice: boolean, signal: AbortSignal): Promise<Outcome> {
    try {
      return await untilCut(receiver.deliver(parcel, { isPossiblyTwice, signal }), signal);
    } catch (error) {
      log.error('receiver failed unexpectedly', { receiver: name, ...errorFields(error) });
      return { kind: 'failed', why: 'failed unexpectedly; see the log', isAmbiguous: true };
    }
  }

  function judge(delivery: Delivery, { outcome, ...doubts }: Tried): Settlement {
    const now = clock.now();
    const attempts = delivery.attempts + 1;
    if (outcome.kind === 'delivered')
      return { state: 'delivered', attempts, now: now.toISOString(), ...doubts };
    const { why } = outcome;
    if (outcome === erased) return { state: 'dead', attempts, why, now: now.toISOString(), ...doubts };
    if (outcome.kind === 'refused') {
      return { state: 'waiting', attempts: delivery.attempts, dueAt: now.toISOString(), why, ...doubts };
    }
    const pauseMs = pauseAfter(attempts, deps.random, outcome.retryAfterMs);
    if (pauseMs === undefined) return { state: 'dead', attempts, why, now: now.toISOString(), ...doubts };
    return {
      state: 'waiting',
      attempts,
      why,
      dueAt: new Date(now.getTime() + pauseMs).toISOString(),
      ...doubts,
    };
  }

  async function tell({ reference, attempts }: Delivery, { outcome }: Tried): Promise<void> {
    const fields = { receiver: name, reference, attempts: attempts + 1 };
    if (outcome.kind === 'delivered') return log.info('delivered', fields);
    log.warn('delivery failed', { ...fields, why: outcome.why });
    const isLast = outcome.kind === 'failed' && pauseAfter(attempts + 1, deps.random) === undefined;
    if (outcome === erased || !isLast) return;
    log.error('delivery given up', { ...fields, why: outcome.why });
    await report(name, 'dead', outcome.why);
  }

  async function pause(why: string): Promise<void> {
    if (!(await outbox.pause(name, why, clock.now().toISOString()))) return;
    log.error('receiver paused', { receiver: name, why });
    await report(name, 'paused', why);
  }

  return {
    start() {
      isOpen = true;
      look();
    },
    look,
    async stop() {
      isOpen = false;
      clearTimeout(timer);
      const cutOff = setTimeout(() => leaving.abort(), patienceMs);
      await looking;
      await Promise.all([...underWay.values()].map(({ attempt }) => attempt));
      clearTimeout(cutOff);
    },
  };
}

const erased: Outcome = { kind: 'failed', why: erasedWhy, isAmbiguous: false };

/** Work that does not end by itself soon after it was cut off is given up: it must not hold its place for ever. */
async function untilCut<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: cut, reject } = Promise.withResolvers<never>();
  let timer: NodeJS.Timeout | undefined;
  const onAbort = () => {
    timer = setTimeout(() => reject(new Error('it did not end when it was cut off')), lastWordMs);
  };
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, cut]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    clearTimeout(timer);
  }
}

async function readParcel(deps: WorkerDeps, delivery: Delivery): Promise<Parcel | undefined> {
  const { reference } = delivery;
  if (delivery.kind === 'notice') {
    const words = await readNotice(deps, delivery.payload ?? '{}');
    return { kind: 'notice', reference, receivedAt: delivery.created_at, ...words };
  }
  const row = await deps.messages.get(reference);
  if (!row) return undefined;
  const { name, email, message, service } = row;
  return { kind: 'message', reference, receivedAt: row.received_at, name, email, message, service };
}
