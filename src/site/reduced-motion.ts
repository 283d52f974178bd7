import { useSyncExternalStore } from 'react';
import type { MotionChange } from './motion.ts';

export function isStill(): boolean {
  return isPaused() || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function usePaused(): boolean {
  return useSyncExternalStore(onPauseChange, isPaused, () => false);
}

export function onPauseChange(listener: () => void): () => void {
  const name: MotionChange = 'motionchange';
  addEventListener(name, listener);
  return () => removeEventListener(name, listener);
}

function isPaused(): boolean {
  return document.documentElement.dataset.motion === 'paused';
}
