import { setTimeout as wait } from 'node:timers/promises';
import { isGroupReceiver, isLetterLine, type Outcome, type Receiver } from '../deliveries/delivery.ts';
import { errorFields } from '../lib/log.ts';
import type { Claim, Delivery, Settlement } from '../store/outbox.ts';
import { attemptDelivery, cutOff, erased, isUnrepeatable, type Tried, unwanted } from './attempt.ts';
import { failingAfter, leaseMs, pauseAfter, pauses, probeEveryMs } from './backoff.ts';
import type { Trouble } from './chores.ts';
import { isGrouping } from './flood.ts';
import { attemptGroup, groupEveryMs, groupLimit } from './group.ts';
import { createPace } from './pace.ts';
import type { WorkerDeps } from './worker.ts';

export type Line = { start(): void; look(): void; stop(): Promise<void> };

/** A poll is the net under the nudge: it finds what another process stored, or what it dropped. */
const pollMs = 5000;
/** So often at most a line looks at what is due while it groups: each message of a flood nudges it. */
const groupLookMs = 1000;
/** What another had in that moment may be left again, and room that was used up be there. */
const againMs = 100;
const attemptMs = 40_000;
const patienceMs = 4000;
/** A receiver that asks for longer is tried again all the same: the one delivery keeps its own, longer pause. */
const longestHoldMs = 60 * 60 * 1000;
/** A settlement that the database did not take is tried again after these; the lease lasts longer than all of them. */
const settleAgainMs = [200, 1000, 5000, 15_000];

/** More than half an hour: what greets a stranger with 'later' has taken it by then. */
const tellAfterAttempts = 4;

type Report = (receiver: Receiver['name'], trouble: Trouble, why: string) => Promise<void>;

/** One receiver's deliveries: claim what is due, deliver it outside any transaction, settle what is still ours. */
export function createLine(deps: WorkerDeps, receiver: Receiver, report: Report): Line {
  const { outbox, clock, ids, log } = deps;
  const { name } = receiver;
  // A provider that bears so many letters a second bears no more in its first one.
  const shared = {
    perSecond: receiver.perSecond,
    atOnce: isLetterLine(name) ? receiver.perSecond / 10 : receiver.perSecond,
  };
  const pace = createPace(shared.perSecond, shared);
  const underWay = new Map<string, { delivery: Delivery; attempt: Promise<void> }>();
  const leaving = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isNudged = false;
  let isOpen = false;
  /** A receiver that asks for time gets it, for all that waits and not for one delivery alone. By no clock that jumps. */
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

  /** Begins as many attempts as are due and allowed. How long until it is worth while to look again. */
  async function begin(): Promise<number> {
    const free = receiver.concurrency - underWay.size;
    const limit = Math.min(free, pace.available());
    if (free <= 0) return pollMs;
    if (limit <= 0) return pace.waitMs();
    if (!isOpen) return pollMs;
    const now = clock.now();
    const held = Math.max(heldUntil, groupHeldUntil) - performance.now();
    if (held > 0) return held;
    // What is not claimed counts no attempt: it waits for as long as the space is missing.
    if (await receiver.lowSpace?.()) return pollMs;
    const deadline = performance.now() + attemptMs;
    const claim = {
      receiver: name,
      now: now.toISOString(),
      lease: ids.request(),
      leaseUntil: new Date(now.getTime() + leaseMs).toISOString(),
      probeEveryMs,
    };
    const isGrouped = isGroupReceiver(receiver) && (await isGrouping(outbox, name, claim.now));
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
    // What is due and was not to be had is another's, or the receiver is paused or failing, or others have used up its pace.
    const waitMs = await outbox.waitForRoom(name, shared);
    if (waitMs > 0) return waitMs;
    const restrained = [...(await outbox.listPaused()), ...(await outbox.listFailing())];
    return restrained.some(one => one.name === name) ? pollMs : againMs;
  }

  /** All messages that are due, for the one process whose turn it is. */
  async function claimGroup(claim: Omit<Claim, 'limit'>): Promise<Delivery[]> {
    const { now } = claim;
    const next = await outbox.nextDue(name);
    if (next === undefined || next > now) return [];
    const notSince = new Date(Date.parse(now) - groupEveryMs).toISOString();
    if (!(await outbox.takeTurn({ chore: `grouped:${name}`, now, notSince }))) return [];
    return outbox.claim({ ...claim, kinds: ['message'], limit: groupLimit });
  }

  function send(claimed: readonly Delivery[], deadline: number): void {
    const deliveries = claimed.filter(({ reference, lease }) => {
      const known = underWay.get(reference);
      // A clock that jumps ahead ends leases early: what is under way here is held on to, and not sent beside itself.
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
    const spent = deliveries.filter(({ attempts }) => attempts > pauses.length);
    for (const delivery of spent) await settleAttempt(delivery, giveUp(delivery));
    const [first, ...others] = deliveries.filter(delivery => !spent.includes(delivery));
    if (!first) return;
    const tried =
      others.length > 0 && isGroupReceiver(receiver)
        ? await attemptGroup(deps, receiver, [first, ...others], time)
        : new Map([[first, await attemptDelivery(deps, receiver, first, time)]]);
    // Before a delivery is let go, or it would be claimed again at once. A group is one attempt, with one outcome.
    for (const outcome of new Set([...tried.values()].map(({ outcome }) => outcome))) await heed(outcome);
    for (const [delivery, end] of tried) await settleAttempt(delivery, end);
  }

  /** What an outcome says about the receiver itself. */
  async function heed(outcome: Outcome): Promise<void> {
    try {
      hold(outcome);
      if (outcome.kind === 'refused') await pause(outcome.why);
      if (isRefusal(outcome)) await countRefusal(outcome.why);
    } catch (error) {
      log.error('receiver not restrained', { receiver: name, ...errorFields(error) });
    }
  }

  async function settleAttempt(delivery: Delivery, tried: Tried): Promise<void> {
    try {
      const settlement = judge(delivery, tried);
      const isOurs = await settleOwn(delivery, settlement);
      if (!isOurs) log.warn('delivery settled by another', { receiver: name, reference: nameOf(delivery) });
      else {
        deps.onSettled?.(name, settlement.state);
        await tell(delivery, tried, settlement);
      }
      await noticeBounce(delivery, tried.outcome);
    } catch (error) {
      // Its lease runs out, and whoever claims it then knows that it may have arrived.
      log.error('delivery not settled', { receiver: name, ...errorFields(error) });
    }
  }

  /** A clock that jumps ahead may have ended the lease in this very moment: what was claimed again here is still ours. */
  async function settleOwn(delivery: Delivery, settlement: Settlement): Promise<boolean> {
    const { lease } = delivery;
    if (await insist(() => outbox.settle(delivery, settlement))) return true;
    await looking;
    return delivery.lease !== lease && settleOwn(delivery, settlement);
  }

  /** A database that is away for a moment must not make a finished delivery look like one that never ended. */
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

  function judge(delivery: Delivery, { outcome, ...doubts }: Tried): Settlement {
    const now = clock.now();
    const attempts = delivery.attempts + Number(outcome !== cutOff);
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
    const pauseMs = pauseAfter(attempts, deps.random, outcome.retryAfterMs);
    if (pauseMs === undefined) return { state: 'dead', ...end };
    const dueAt = new Date(now.getTime() + pauseMs).toISOString();
    return { state: 'waiting', ...end, dueAt };
  }

  async function tell(
    delivery: Delivery,
    { outcome }: Tried,
    { state, attempts }: Settlement,
  ): Promise<void> {
    const fields = {
      receiver: name,
      place: receiver.place,
      reference: nameOf(delivery),
      attempts,
    };
    if (outcome.kind === 'delivered') return log.info('delivered', fields);
    if (state === 'dropped') return log.info('delivery dropped', { ...fields, why: outcome.why });
    log.warn(state === 'unsure' ? 'possibly delivered' : 'delivery failed', { ...fields, why: outcome.why });
    if (
      isLetterLine(name) &&
      outcome.kind === 'failed' &&
      state === 'waiting' &&
      attempts === tellAfterAttempts
    ) {
      await report(name, 'failing', outcome.why);
    }
    if (outcome === erased || state !== 'dead') return;
    log.error('delivery given up', { ...fields, why: outcome.why });
    // One reader whom nothing reaches is no trouble of ours: it is told with the state of the issue.
    if (!isLetterLine(name)) await report(name, 'dead', outcome.why);
  }

  /** A mail server that says there is nobody need not be asked again with the next issue. */
  async function noticeBounce({ kind, subscriber }: Delivery, outcome: Outcome): Promise<void> {
    if (kind !== 'issue' || outcome.kind !== 'rejected' || !outcome.isUnknown) return;
    const isNew = await deps.subscribers.suppress(subscriber as string, 'bounce', clock.now().toISOString());
    if (isNew) log.info('subscriber suppressed', { why: 'bounce' });
  }

  async function pause(why: string): Promise<void> {
    if (!(await insist(() => outbox.pause(name, why, clock.now().toISOString())))) return;
    log.error('receiver paused', { receiver: name, why });
    await announce('paused', why);
  }

  /** A subscriber's own mail server says nothing about ours. */
  async function countRefusal(why: string): Promise<void> {
    if (isLetterLine(name)) return;
    const refusal = { receiver: name, why, now: clock.now().toISOString(), failingAfter };
    if (!(await insist(() => outbox.countRefusal(refusal)))) return;
    log.error('receiver failing', { receiver: name, why });
    await announce('failing', why);
  }

  /** What could not be told now is told by the chores: the delivery must be settled all the same. */
  async function announce(trouble: Trouble, why: string): Promise<void> {
    await report(name, trouble, why).catch(error => log.error('trouble not told', errorFields(error)));
  }

  function hold(outcome: Outcome): void {
    if (outcome.kind === 'failed' && outcome.retryAfterMs) {
      heldUntil = Math.max(heldUntil, performance.now() + Math.min(outcome.retryAfterMs, longestHoldMs));
    }
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

/** Which issues somebody got is about them: a log that outlives their erasure names the issue alone. */
function nameOf({ reference, issue }: Delivery): string {
  return issue ?? reference;
}

function isRefusal(outcome: Outcome): outcome is Exclude<Outcome, { kind: 'delivered' | 'refused' }> {
  return outcome.kind === 'rejected' || (outcome.kind === 'failed' && outcome.isDefinite === true);
}

/** Each attempt ended with its process: the next one would, too. */
function giveUp(delivery: Delivery): Tried {
  const outcome = { kind: 'failed', why: 'no attempt came to an end', isAmbiguous: true } as const;
  return { outcome, isAmbiguous: true, isPossiblyTwice: delivery.is_possibly_twice === 1 };
}
