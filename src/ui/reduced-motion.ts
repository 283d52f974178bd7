import { useSyncExternalStore } from 'react';
import type { MotionChange } from './motion.ts';

export function prefersReducedMotion(): boolean {
  return isMotionPaused() || matchMedia('(prefers-reduced-motion: reduce)').matches;
}

export function useMotionPaused(): boolean {
  return useSyncExternalStore(onMotionPauseChange, isMotionPaused, () => false);
}

export function onMotionPauseChange(listener: () => void): () => void {
  const name: MotionChange = 'motionchange';
  addEventListener(name, listener);
  return () => removeEventListener(name, listener);
}

function isMotionPaused(): boolean {
  return document.documentElement.dataset.motion === 'paused';
}
