import { setTimeout as wait } from 'node:timers/promises';
import { isGroupReceiver, isNewsletterQueue, type Outcome, type Receiver } from '../deliveries/delivery.ts';
import { suppressById } from '../domain/newsletter/suppress-subscriber.ts';
import { errorFields } from '../lib/log.ts';
import type { Claim } from '../store/claim.ts';
import type { Delivery, Settlement } from '../store/deliveries.ts';
import {
  type AttemptResult,
  attemptDelivery,
  erased,
  interrupted,
  isUnrepeatable,
  unwanted,
} from './attempt-delivery.ts';
import { attemptGroup, groupEveryMs, groupLimit } from './attempt-group.ts';
import { backoffDelay, backoffDelays, failingAfter, leaseMs, probeEveryMs } from './backoff.ts';
import { isGrouping } from './flood-grouping.ts';
import type { ReceiverProblem } from './maintenance-jobs.ts';
import { createThrottle } from './throttle.ts';
import type { WorkerDeps } from './worker-deps.ts';

const pollMs = 5000;
/** Debounces the nudges of a flood's messages. */
const groupLookMs = 1000;
/** Until what another process held, or the room in the pace, may be free again. */
const againMs = 100;
const attemptMs = 40_000;
const patienceMs = 4000;
/** The delivery for which a receiver asked for longer keeps its own, longer pause. */
const longestHoldMs = 60 * 60 * 1000;
/** Together shorter than the lease. */
const settleAgainMs = [200, 1000, 5000, 15_000];

/** After more than half an hour, which outlasts greylisting. */
const tellAfterAttempts = 4;

type Report = (receiver: Receiver['name'], trouble: ReceiverProblem, why: string) => Promise<void>;

export function createDeliveryQueue(deps: WorkerDeps, receiver: Receiver, report: Report) {
  const { outbox, receiverStates, schedule, clock, ids, log } = deps;
  const { name } = receiver;
  // A mail provider's limit holds for the first second, too.
  const shared = {
    perSecond: receiver.perSecond,
    atOnce: isNewsletterQueue(name) ? receiver.perSecond / 10 : receiver.perSecond,
  };
  const pace = createThrottle(shared.perSecond, shared);
  const underWay = new Map<string, { delivery: Delivery; attempt: Promise<void> }>();
  const leaving = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isNudged = false;
  let isOpen = false;
  /** A receiver that asks for time gets it for all its deliveries. */
  let heldUntil = 0;
  let groupHeldUntil = 0;

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

  async function begin(): Promise<number> {
    const free = receiver.concurrency - underWay.size;
    const limit = Math.min(free, pace.available());
    if (free <= 0) return pollMs;
    if (limit <= 0) return pace.waitMs();
    if (!isOpen) return pollMs;
    const held = Math.max(heldUntil, groupHeldUntil) - performance.now();
    if (held > 0) return held;
    // A delivery that is not claimed counts no attempt.
    if (await receiver.lowSpace?.()) return pollMs;
    if (await deps.clockGuard?.findSkew()) return pollMs;
    const now = (await deps.clockGuard?.leaseTime()) ?? clock.now();
    const deadline = performance.now() + attemptMs;
    const claim = {
      receiver: name,
      now: now.toISOString(),
      lease: ids.request(),
      leaseUntil: new Date(now.getTime() + leaseMs).toISOString(),
      probeEveryMs,
    };
    const isGrouped = isGroupReceiver(receiver) && (await isGrouping(deps, name, claim.now));
    const kinds = isGrouped ? { kinds: ['notice'] as const } : {};
    const claimed = await outbox.claim({ ...claim, ...kinds, limit, pace: shared });
    for (const delivery of claimed) send([delivery], deadline);
    if (claimed.length > 0) return 0;
    if (isGrouped) {
      send(await claimGroup(claim), deadline);
      groupHeldUntil = performance.now() + groupLookMs;
      return groupLookMs;
    }
    const next = await outbox.nextDue(name);
    const untilNext = next === undefined ? pollMs : Date.parse(next) - now.getTime();
    if (untilNext > 0) return untilNext;
    // Something is due: another process has it, the pace is used up, or the receiver is paused or failing.
    const waitMs = await outbox.waitForRoom(name, shared);
    if (waitMs > 0) return waitMs;
    const restrained = [...(await receiverStates.listPaused()), ...(await receiverStates.listFailing())];
    return restrained.some(one => one.name === name) ? pollMs : againMs;
  }

  async function claimGroup(claim: Omit<Claim, 'limit'>): Promise<Delivery[]> {
    const { now } = claim;
    const next = await outbox.nextDue(name);
    if (next === undefined || next > now) return [];
    const notSince = new Date(Date.parse(now) - groupEveryMs).toISOString();
    if (!(await schedule.takeTurn({ chore: `grouped:${name}`, now, notSince }))) return [];
    return outbox.claim({ ...claim, kinds: ['message'], limit: groupLimit });
  }

  function send(claimed: readonly Delivery[], deadline: number): void {
    const deliveries = claimed.filter(({ reference, lease }) => {
      const known = underWay.get(reference);
      // A process that slept claims its own deliveries again, and must not send them twice.
      if (known) known.delivery.lease = lease;
      return !known;
    });
    if (deliveries.length === 0) return;
    pace.take();
    const attempt = settleAttempts(deliveries, deadline).finally(() => {
      for (const { reference } of deliveries) underWay.delete(reference);
      look();
    });
    for (const delivery of deliveries) underWay.set(delivery.reference, { delivery, attempt });
  }

  async function settleAttempts(deliveries: readonly Delivery[], deadline: number): Promise<void> {
    const time = { signal: AbortSignal.any([AbortSignal.timeout(attemptMs), leaving.signal]), deadline };
    const spent = deliveries.filter(({ attempts }) => attempts > backoffDelays.length);
    for (const delivery of spent) await settleAttempt(delivery, giveUp(delivery));
    const [first, ...others] = deliveries.filter(delivery => !spent.includes(delivery));
    if (!first) return;
    const tried =
      others.length > 0 && isGroupReceiver(receiver)
        ? await attemptGroup(deps, receiver, [first, ...others], time)
        : new Map([[first, await attemptDelivery(deps, receiver, first, time)]]);
    // Before the settlement, or the delivery would be claimed again at once. A group shares one outcome.
    for (const outcome of new Set([...tried.values()].map(({ outcome }) => outcome))) await heed(outcome);
    for (const [delivery, end] of tried) await settleAttempt(delivery, end);
  }

  async function heed(outcome: Outcome): Promise<void> {
    try {
      if (outcome.kind === 'failed' && outcome.retryAfterMs) {
        heldUntil = Math.max(heldUntil, performance.now() + Math.min(outcome.retryAfterMs, longestHoldMs));
      }
      if (outcome.kind === 'refused') await pause(outcome.why);
      if (isRefusal(outcome)) await countRefusal(outcome.why);
    } catch (error) {
      log.error('receiver not restrained', { receiver: name, ...errorFields(error) });
    }
  }

  async function settleAttempt(delivery: Delivery, tried: AttemptResult): Promise<void> {
    try {
      const settlement = judge(delivery, tried);
      const isOurs = await insist(() => outbox.settle(delivery, settlement));
      if (!isOurs) log.warn('delivery settled by another', { receiver: name, reference: nameOf(delivery) });
      else {
        deps.onSettled?.(name, settlement.state);
        await tell(delivery, tried, settlement);
      }
      await noticeBounce(delivery, tried.outcome);
    } catch (error) {
      // Its lease expires, and the next claim marks it as ambiguous.
      log.error('delivery not settled', { receiver: name, ...errorFields(error) });
    }
  }

  /** A short outage of the database must not make a finished delivery look ambiguous. */
  async function insist(write: () => Promise<boolean>): Promise<boolean> {
    for (const pauseMs of settleAgainMs) {
      try {
        return await write();
      } catch (error) {
        if (leaving.signal.aborted) throw error;
        log.warn('delivery not settled yet', { receiver: name, ...errorFields(error) });
        await wait(pauseMs, undefined, { signal: leaving.signal }).catch(() => undefined);
      }
    }
    return write();
  }

  function judge(delivery: Delivery, { outcome, ...doubts }: AttemptResult): Settlement {
    const now = clock.now();
    const attempts = delivery.attempts + Number(outcome !== interrupted);
    if (outcome.kind === 'delivered')
      return { state: 'delivered', attempts, now: now.toISOString(), ...doubts };
    const { why } = outcome;
    const end = { attempts, why, now: now.toISOString(), ...doubts };
    if (outcome === erased || outcome.kind === 'rejected') return { state: 'dead', ...end };
    if (outcome === unwanted) return { state: 'dropped', ...end };
    if (doubts.isAmbiguous && isUnrepeatable(receiver)) return { state: 'unsure', ...end };
    if (outcome.kind === 'refused') {
      return { state: 'waiting', ...end, attempts: delivery.attempts, dueAt: now.toISOString() };
    }
    const pauseMs = backoffDelay(attempts, deps.random, outcome.retryAfterMs);
    if (pauseMs === undefined) return { state: 'dead', ...end };
    const dueAt = new Date(now.getTime() + pauseMs).toISOString();
    return { state: 'waiting', ...end, dueAt };
  }

  async function tell(
    delivery: Delivery,
    { outcome }: AttemptResult,
    { state, attempts }: Settlement,
  ): Promise<void> {
    const fields = {
      receiver: name,
      place: receiver.destination,
      reference: nameOf(delivery),
      attempts,
    };
    if (outcome.kind === 'delivered') return log.info('delivered', fields);
    if (state === 'dropped') return log.info('delivery dropped', { ...fields, why: outcome.why });
    log.warn(state === 'unsure' ? 'possibly delivered' : 'delivery failed', { ...fields, why: outcome.why });
    if (
      isNewsletterQueue(name) &&
      outcome.kind === 'failed' &&
      state === 'waiting' &&
      attempts === tellAfterAttempts
    ) {
      await report(name, 'failing', outcome.why);
    }
    if (outcome === erased || state !== 'dead') return;
    log.error('delivery given up', { ...fields, why: outcome.why });
    // A subscriber who cannot be reached is reported with the state of the issue.
    if (!isNewsletterQueue(name)) await report(name, 'dead', outcome.why);
  }

  async function noticeBounce({ kind, subscriber }: Delivery, outcome: Outcome): Promise<void> {
    if (kind !== 'issue' || outcome.kind !== 'rejected' || !outcome.isUnknown) return;
    const isNew = await suppressById(
      deps.subscribers,
      subscriber as string,
      'bounce',
      clock.now().toISOString(),
    );
    if (isNew) log.info('subscriber suppressed', { why: 'bounce' });
  }

  async function pause(why: string): Promise<void> {
    if (!(await insist(() => receiverStates.pause(name, why, clock.now().toISOString())))) return;
    log.error('receiver paused', { receiver: name, why });
    await announce('paused', why);
  }

  /** A refusal by a subscriber's mail server says nothing about ours. */
  async function countRefusal(why: string): Promise<void> {
    if (isNewsletterQueue(name)) return;
    const refusal = { receiver: name, why, now: clock.now().toISOString(), failingAfter };
    if (!(await insist(() => receiverStates.countRefusal(refusal)))) return;
    log.error('receiver failing', { receiver: name, why });
    await announce('failing', why);
  }

  /** On failure the chores report it later: the delivery must be settled all the same. */
  async function announce(trouble: ReceiverProblem, why: string): Promise<void> {
    await report(name, trouble, why).catch(error => log.error('trouble not told', errorFields(error)));
  }

  return {
    start(): void {
      isOpen = true;
      look();
    },
    look,
    async stop(): Promise<void> {
      isOpen = false;
      clearTimeout(timer);
      const cutOff = setTimeout(() => leaving.abort(), patienceMs);
      await looking;
      await Promise.all([...underWay.values()].map(({ attempt }) => attempt));
      clearTimeout(cutOff);
    },
  };
}

/** Which issues a subscriber got is personal data: the log, which outlives erasure, names the issue alone. */
function nameOf({ reference, issue }: Delivery): string {
  return issue ?? reference;
}

function isRefusal(outcome: Outcome): outcome is Exclude<Outcome, { kind: 'delivered' | 'refused' }> {
  return outcome.kind === 'rejected' || (outcome.kind === 'failed' && outcome.isDefinite === true);
}

/** Each attempt ended with its process, and the next one would, too. */
function giveUp(delivery: Delivery): AttemptResult {
  const outcome = { kind: 'failed', why: 'no attempt came to an end', isAmbiguous: true } as const;
  return { outcome, isAmbiguous: true, isPossibleDuplicate: delivery.is_possibly_twice === 1 };
}
