import { readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Loaded before the product: after a signal its wall clock is off by what a file says. Monotonic time goes on unchanged. */
const file = process.env.FAULT_CLOCK ?? '';
const RealDate = Date;
let offMs = readOff();

function readOff(): number {
  return Number(readFileSync(file, 'utf8'));
}

function now(): number {
  return RealDate.now() + offMs;
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});

// Signals reach the main thread alone; the other has no use for the time.
if (isMainThread) {
  process.on('SIGUSR2', () => {
    offMs = readOff();
  });
}
