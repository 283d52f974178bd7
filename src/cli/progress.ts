import { errorWidth, redraw } from './terminal.ts';

const drawEveryMs = 100;

export type Progress = { draw(done: number): void; clear(): void };

/** A bar that redraws itself at a terminal, where the total is known; elsewhere nothing is said until the end. */
export function createProgress(what: string, total: number | undefined): Progress {
  const isTerminal = errorWidth() !== undefined;
  let drawnAt = performance.now();
  let isDrawn = false;
  return {
    draw(done) {
      const now = performance.now();
      if (!isTerminal || now - drawnAt < drawEveryMs) return;
      drawnAt = now;
      isDrawn = true;
      const count = done.toLocaleString('en-GB');
      if (total === undefined) redraw(`${what}: ${count}`);
      else drawBar(done, total, `${what}: ${count} of ${total.toLocaleString('en-GB')}`);
    },
    clear() {
      if (isDrawn) redraw('');
      isDrawn = false;
    },
  };
}

export function drawBar(done: number, total: number, line: string): void {
  // What arrived meanwhile may make it more than there were.
  const share = Math.min(1, done / Math.max(total, 1));
  redraw(`[${'#'.repeat(Math.floor(30 * share)).padEnd(30, '.')}] ${line}`);
}
