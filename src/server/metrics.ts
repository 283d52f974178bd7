import {
  messageResults,
  newsletterActs,
  newsletterResults,
  type RequestKind,
  requestKinds,
  type Tally,
  viewResults,
} from '../api/tally.ts';
import { type Cell, createRegistry, type MetricTable, type Registry } from '../lib/metrics.ts';
import type { Observer } from '../store/open.ts';
import type { FileEntry } from './files.ts';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Every figure there is, for the port that tells them and for whoever writes about them. */
export const metricTable = {
  wardhouse_requests_total: {
    type: 'counter',
    help: 'Requests answered, by kind (page, asset, not-found, and of the API contact, token, newsletter, step, bounces, reports, views, health, other) and class of status.',
  },
  wardhouse_request_seconds: {
    type: 'histogram',
    help: 'How long requests to the API took, by kind.',
    bounds: seconds,
  },
  wardhouse_messages_total: {
    type: 'counter',
    help: 'Messages that could be read, by what became of them: stored, quarantined, empty, repeated, refused, conflict, limited (sent too often), busy (too many waited) or failed (not stored).',
  },
  wardhouse_newsletter_total: {
    type: 'counter',
    help: 'What was asked of the newsletter (ask, confirm, leave, bounce), by result: done, refused, limited, busy or failed.',
  },
  wardhouse_views_total: {
    type: 'counter',
    help: 'What browsers told of, by what became of it: counted as view or as message (that a campaign led to), or left out as declined (the browser asks not to be counted), robot, limited (told too often) or unreadable.',
  },
  wardhouse_deliveries_total: {
    type: 'counter',
    help: 'Attempts to deliver that ended in this process, by receiver and result: delivered, later (tried again), dead (given up), unsure or dropped.',
  },
  wardhouse_queue_deliveries: {
    type: 'gauge',
    help: 'Deliveries that wait or are on their way, by receiver, whatever the number of processes.',
  },
  wardhouse_queue_oldest_seconds: {
    type: 'gauge',
    help: 'Age of the oldest of them, by receiver; 0 where nothing waits.',
  },
  wardhouse_dead_deliveries: { type: 'gauge', help: 'Deliveries that were given up, by receiver.' },
  wardhouse_receiver_paused: {
    type: 'gauge',
    help: '1 for a receiver that gets nothing until its settings are mended.',
  },
  wardhouse_receiver_failing: {
    type: 'gauge',
    help: '1 for a receiver that refused several deliveries in a row and has accepted none since.',
  },
  wardhouse_disk_below_floor: {
    type: 'gauge',
    help: '1 while less than MIN_FREE_DISK_MB is free on the disk of the data folder, so that no copies are written as files.',
  },
  wardhouse_commit_seconds: {
    type: 'histogram',
    help: 'How long it took to store a group of messages or sign-ups that waited together, from the first statement to the answer of the commit.',
    bounds: seconds,
  },
  wardhouse_commit_group_size: {
    type: 'histogram',
    help: 'How many messages or sign-ups were stored by one commit.',
    bounds: [1, 2, 4, 8, 16, 32, 64, 128],
  },
  wardhouse_fsync_seconds: {
    type: 'histogram',
    help: 'SQLite: a commit that changed something, alone, which waits for the disk, as the thread of the database saw it. PostgreSQL: the round trip of every commit, which waits for the disk of its server where something changed.',
    bounds: [0.0001, 0.00025, 0.0005, ...seconds],
  },
  wardhouse_event_loop_delay_seconds: {
    type: 'gauge',
    help: 'By how much the event loop was late since it was last asked: p50, p99 and max.',
  },
  wardhouse_scrape_errors_total: {
    type: 'counter',
    help: 'Times the database did not tell of the queues in time; their figures are then left out.',
  },
  wardhouse_build_info: {
    type: 'gauge',
    help: 'Always 1; its labels say which version runs on what.',
  },
  process_cpu_seconds_total: { type: 'counter', help: 'Time on a processor, in all threads.' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory that the process holds.' },
  process_heap_bytes: { type: 'gauge', help: 'Memory in use by JavaScript.' },
  process_start_time_seconds: { type: 'gauge', help: 'When the process began, since 1970.' },
} as const satisfies MetricTable;

type FileKind = FileEntry['kind'];

/** What is counted while the process works; counting costs an addition, whether or not anybody ever looks. */
export type Metrics = {
  registry: Registry<typeof metricTable>;
  tally: Tally;
  observer: Observer;
  onFile(kind: FileKind, status: number): void;
  onSettled(receiver: string, state: string): void;
};

export function createMetrics(): Metrics {
  const registry = createRegistry(metricTable);
  const { cell, histogram } = registry;
  const requests = (kind: string) =>
    ['1xx', '2xx', '3xx', '4xx', '5xx'].map(status => cell('wardhouse_requests_total', { kind, status }));
  const asset = requests('asset');
  const files: Record<FileKind, Cell[]> = {
    page: requests('page'),
    'not-found': requests('not-found'),
    hashed: asset,
    plain: asset,
    shared: asset,
    picture: asset,
    feed: asset,
  };
  const api = table(requestKinds, kind => ({
    answered: requests(kind),
    taken: histogram('wardhouse_request_seconds', { kind }),
  }));
  const messages = table(messageResults, result => cell('wardhouse_messages_total', { result }));
  const newsletter = table(newsletterActs, act =>
    table(newsletterResults, result => cell('wardhouse_newsletter_total', { act, result })),
  );
  const views = table(viewResults, result => cell('wardhouse_views_total', { result }));
  const commits = histogram('wardhouse_commit_seconds');
  const sizes = histogram('wardhouse_commit_group_size');
  const disk = histogram('wardhouse_fsync_seconds');
  return {
    registry,
    tally: {
      request(kind: RequestKind, status, ms) {
        count(api[kind].answered, status);
        api[kind].taken.observe(ms / 1000);
      },
      message: result => add(messages[result]),
      newsletter: (act, result) => add(newsletter[act][result]),
      view: result => add(views[result]),
    },
    observer: {
      onGroup(size, ms) {
        sizes.observe(size);
        commits.observe(ms / 1000);
      },
      onDisk: ms => disk.observe(ms / 1000),
    },
    onFile: (kind, status) => count(files[kind], status),
    onSettled(receiver, state) {
      const result = state === 'waiting' ? 'later' : state;
      add(cell('wardhouse_deliveries_total', { receiver, result }));
    },
  };
}

function add(cell: Cell): void {
  cell.value += 1;
}

function count(answered: Cell[], status: number): void {
  const cell = answered[Math.floor(status / 100) - 1];
  if (cell) add(cell);
}

function table<const Name extends string, T>(
  names: readonly Name[],
  make: (name: Name) => T,
): Record<Name, T> {
  return Object.fromEntries(names.map(name => [name, make(name)])) as Record<Name, T>;
}
