import { appendFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Loaded into the server by the bench: how long its event loop was held up, in milliseconds, written when it ends. */
const { BENCH_LOOP_FILE: file } = process.env;
if (isMainThread && file) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  // Starting is not serving.
  setTimeout(() => delay.enable(), 1000);
  process.on('exit', () => {
    const [p50Ms, p99Ms, maxMs] = [delay.percentile(50), delay.percentile(99), delay.max].map(ns => ns / 1e6);
    appendFileSync(file, JSON.stringify({ p50Ms, p99Ms, maxMs }));
  });
}
