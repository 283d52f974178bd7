import { Counter, Histogram, Registry } from 'prom-client';
import type { Observer } from '../database/open-store.ts';
import type { CounterType, RequestCounters } from './request-counters.ts';
import type { FileEntry } from './static-files.ts';

export type Metrics = ReturnType<typeof createMetrics>;

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const diskSeconds = [0.0001, 0.00025, 0.0005, ...seconds];
const powersOfTwo = [1, 2, 4, 8, 16, 32, 64, 128];

/** `requestKinds`: of all endpoints. `types`: the counters of the features. */
export function createMetrics(requestKinds: readonly string[], types: readonly CounterType[]) {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const requests = counter('wardhouse_requests_total', 'Requests answered.', 'kind', 'status');
  const requestSeconds = histogram('wardhouse_request_seconds', 'Duration of API requests.', seconds, 'kind');
  const counters = new Map(
    types.map(type => [type.name, counter(type.name, type.help, ...Object.keys(type.labels))]),
  );
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
  for (const { name, labels } of types)
    for (const values of combine(Object.entries(labels))) counters.get(name)?.inc(values, 0);

  const countRequest = (kind: string, status: number) =>
    requests.inc({ kind, status: `${Math.floor(status / 100)}xx` });
  const requestCounters: RequestCounters = {
    request(kind, status, ms) {
      countRequest(kind, status);
      requestSeconds.observe({ kind }, ms / 1000);
    },
    count: ({ name }, labels) => counters.get(name)?.inc(labels),
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

/** Each value of the first label with each of the next ones. */
function combine([first, ...rest]: [string, readonly string[]][]): Record<string, string>[] {
  if (!first) return [{}];
  const [name, values] = first;
  return values.flatMap(value => combine(rest).map(others => ({ [name]: value, ...others })));
}
