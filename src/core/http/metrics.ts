import { Counter, Histogram, Registry } from 'prom-client';
import type { Observer } from '../database/open-store.ts';
import {
  auditOutcomes,
  messageResults,
  newsletterActions,
  newsletterResults,
  type RequestCounters,
} from './request-counters.ts';
import type { FileEntry } from './static-files.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const diskSeconds = [0.0001, 0.00025, 0.0005, ...seconds];
const powersOfTwo = [1, 2, 4, 8, 16, 32, 64, 128];

/** `requestKinds`: of all endpoints. */
export function createMetrics(requestKinds: readonly string[]) {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const requests = counter('wardhouse_requests_total', 'Requests answered.', 'kind', 'status');
  const requestSeconds = histogram('wardhouse_request_seconds', 'Duration of API requests.', seconds, 'kind');
  const messages = counter('wardhouse_messages_total', 'Messages that could be read.', 'result');
  const newsletter = counter('wardhouse_newsletter_total', 'Newsletter requests.', 'action', 'result');
  const audits = counter('wardhouse_audits_total', 'Audits that visitors requested.', 'outcome');
  const attempts = counter(
    'wardhouse_delivery_attempts_total',
    'Delivery attempts that ended.',
    'receiver',
    'result',
  );
  const groupSeconds = histogram(
    'wardhouse_commit_seconds',
    'Storing a group of messages or sign-ups.',
    seconds,
  );
  const groupSizes = histogram('wardhouse_commit_group_size', 'Rows stored by one commit.', powersOfTwo);
  const commitSeconds = histogram(
    'wardhouse_fsync_seconds',
    'The commit alone, which waits for the disk.',
    diskSeconds,
  );
  // A series that begins at 0 shows its first increase, which alerts need.
  for (const kind of ['page', 'asset', 'not-found', ...requestKinds]) {
    for (const status of ['2xx', '3xx', '4xx', '5xx']) requests.inc({ kind, status }, 0);
  }
  for (const kind of requestKinds) requestSeconds.zero({ kind });
  for (const result of messageResults) messages.inc({ result }, 0);
  for (const outcome of auditOutcomes) audits.inc({ outcome }, 0);
  for (const action of newsletterActions) {
    for (const result of newsletterResults) newsletter.inc({ action, result }, 0);
  }

  const countRequest = (kind: string, status: number) =>
    requests.inc({ kind, status: `${Math.floor(status / 100)}xx` });
  const requestCounters: RequestCounters = {
    request(kind, status, ms) {
      countRequest(kind, status);
      requestSeconds.observe({ kind }, ms / 1000);
    },
    message: result => messages.inc({ result }),
    newsletter: (action, result) => newsletter.inc({ action, result }),
    audit: outcome => audits.inc({ outcome }),
  };
  const observer: Observer = {
    onGroupStored(size, ms) {
      groupSizes.observe(size);
      groupSeconds.observe(ms / 1000);
    },
    onCommit: ms => commitSeconds.observe(ms / 1000),
  };
  return {
    registry,
    requestCounters,
    observer,
    onFile: (kind: FileEntry['kind'], status: number) =>
      countRequest(kind === 'page' || kind === 'not-found' ? kind : 'asset', status),
    onSettled(receiver: string, state: string): void {
      attempts.inc({ receiver, result: state === 'waiting' ? 'retry' : state });
    },
  };
}
