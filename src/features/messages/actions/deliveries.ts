import * as v from 'valibot';
import {
  actionsNeeding,
  type DepsOf,
  describeShown,
  flag,
  limit,
  optional,
  reference,
} from '../../../core/action.ts';
import type { Receiver } from '../../../core/outbox/delivery.ts';
import { describeFailure, describeStoredFailure, type Failure } from '../../../core/outbox/failures.ts';
import type { ReceiverStates } from '../../../core/outbox/receivers.ts';
import { formatCount } from '../../../lib/format-count.ts';
import { listDeliveries } from '../read-inbox.ts';
import { receiverNames } from '../receivers/receivers.ts';
import { sendTestMessage } from '../receivers/send-test-message.ts';
import type { TestResult } from '../receivers/try-receiver.ts';
import { retryDeliveries } from '../retry-deliveries.ts';
import { deliveryStates } from './read-messages.ts';

const defineAction = actionsNeeding<
  DepsOf<typeof sendTestMessage> & {
    domainDeps: DepsOf<typeof listDeliveries | typeof retryDeliveries> & {
      receiverStates: Pick<ReceiverStates, 'listPaused'>;
      receivers: readonly string[];
    };
  }
>();

const to = optional('--to <name>', 'filter by receiver', v.picklist(receiverNames));

export const deliveries = defineAction({
  name: 'deliveries',
  about: 'list deliveries, newest first',
  examples: ['--failed'],
  opens: 'database',
  input: v.pipe(
    v.object({
      failed: flag('--failed', 'only failed deliveries'),
      waiting: flag('--waiting', 'only waiting deliveries'),
      to,
      limit,
    }),
    v.check(({ failed, waiting }) => !failed || !waiting, '--failed cannot be used with --waiting'),
  ),
  async run(services, { failed, waiting, to: receiver, limit }) {
    const { domainDeps } = services;
    const states = failed ? deliveryStates.failed : waiting ? deliveryStates.waiting : undefined;
    const filter = { ...(states && { states }), ...(receiver && { receiver }) };
    const [{ deliveries: found, ...total }, paused, fileCopiesStopped] = await Promise.all([
      listDeliveries(domainDeps, { ...filter, limit }),
      domainDeps.receiverStates.listPaused(receiverNames),
      findLowSpace(services),
    ]);
    const shown = found.map(({ lease: _, payload: __, last_failure, ...row }) => ({
      ...row,
      last_failure: describeStoredFailure(last_failure),
    }));
    return {
      ...total,
      paused: paused.map(describePause),
      ...(fileCopiesStopped && { fileCopiesStopped }),
      deliveries: shown,
    };
  },
  print({ deliveries: found, total, isTotalExact, paused, fileCopiesStopped }, { failed }) {
    return [
      found.map(({ reference, receiver, state, attempts, ...row }) => ({
        reference,
        receiver,
        state,
        attempts,
        due: state === 'waiting' ? row.due_at : '',
        'possible duplicate': row.is_possible_duplicate ? 'yes' : '',
        'last failure': row.last_failure,
      })),
      ...paused.map(
        ({ name, paused_at, pause_reason }) =>
          `Receiver ${name} has been paused since ${paused_at}: ${pause_reason}. ` +
          'Fix its settings, then restart the site or run: npm run inbox -- retry --waiting',
      ),
      fileCopiesStopped &&
        `File copies are stopped: ${fileCopiesStopped}. They resume when there is enough disk space.`,
      total > found.length && describeShown(found.length, total, isTotalExact),
      failed && total > 0 && 'To retry them once the receiver works again: npm run inbox -- retry --failed',
      total === 0 && (failed ? 'No failed deliveries' : 'No deliveries found'),
    ];
  },
});

function describePause({ failure, ...paused }: { name: string; paused_at: string; failure: Failure }) {
  return { ...paused, pause_reason: describeFailure(failure) };
}

async function findLowSpace({ receivers }: { receivers: readonly Receiver[] }): Promise<string | undefined> {
  return receivers.find(({ checkDiskSpace }) => checkDiskSpace)?.checkDiskSpace?.();
}

export const retry = defineAction({
  name: 'retry',
  about: 'retry failed or waiting deliveries immediately',
  examples: ['--failed'],
  opens: 'database',
  input: v.pipe(
    v.object({
      reference: optional('[reference]', 'reference of one message', reference),
      failed: flag('--failed', 'all failed deliveries'),
      waiting: flag('--waiting', 'all waiting deliveries'),
      to,
    }),
    v.check(
      ({ reference, failed, waiting }) => [reference, failed, waiting].filter(Boolean).length === 1,
      'retry requires a reference, --failed or --waiting',
    ),
  ),
  run({ domainDeps }, { reference, failed, waiting, to: receiver }) {
    const states = (['failed', 'waiting'] as const).filter(state => reference ?? { failed, waiting }[state]);
    return retryDeliveries(domainDeps, { states, reference, receiver });
  },
  print: ({ retried, resumed, paused }, { reference, failed }) => [
    ...resumed.map(name => `Receiver ${name} is no longer paused`),
    ...paused.map(
      name => `Receiver ${name} is paused; to resume: npm run inbox -- retry --waiting --to ${name}`,
    ),
    retried > 0
      ? `${formatCount(retried, 'delivery')} due now; the running server, or the next, will send them`
      : reference
        ? { error: `no failed or waiting deliveries of ${reference}` }
        : `No ${failed ? 'failed' : 'waiting'} deliveries`,
  ],
  json: ({ paused, ...result }) => ({ ...result, ...(paused.length > 0 && { paused }) }),
});

export const testMessage = defineAction({
  name: 'test-message',
  about: 'send a test message to every receiver and verify its arrival',
  examples: [''],
  input: v.object({ from: v.optional(v.string(), 'npm run inbox -- test-message') }),
  async run(services, { from }, progress) {
    const { domainDeps } = services;
    const paused = await domainDeps.receiverStates.listPaused(domainDeps.receivers);
    for (const { name, paused_at, failure } of paused)
      progress?.(
        `Receiver ${name} has been paused since ${paused_at} (${describeFailure(failure)}); testing it anyway`,
      );
    const lowSpace = await findLowSpace(services);
    if (lowSpace) progress?.(`File copies are stopped (${lowSpace}); testing them anyway`);
    const { reference, sentAt, tested } = await sendTestMessage(services, from);
    if (!tested.some(hasFailed)) progress?.(`Test message ${reference} accepted by every receiver`);
    return { reference, sentAt, paused: paused.map(({ name }) => name), receivers: tested };
  },
  print({ paused, receivers }) {
    const failed = receivers.filter(hasFailed);
    return [
      receivers.map(({ receiver, destination, result, ms }) => ({
        receiver,
        destination,
        result: results[result],
        time: `${(ms / 1000).toFixed(1)} s`,
      })),
      ...failed.map(({ receiver, reason }) => ({ error: `receiver ${receiver} failed: ${reason}` })),
      failed.length === 0 &&
        paused.length > 0 &&
        'To send the waiting deliveries of paused receivers: npm run inbox -- retry --waiting',
    ];
  },
});

const hasFailed = ({ result }: Pick<TestResult, 'result'>) => result === 'failed';

const results: Record<TestResult['result'], string> = {
  'read back': 'received (read back)',
  accepted: 'accepted (not verified)',
  failed: 'failed',
};
