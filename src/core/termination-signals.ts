import { constants } from 'node:os';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export function onTerminationSignal(cleanUp: () => void): () => void {
  const onSignal = (signal: (typeof signals)[number]) => {
    cleanUp();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
