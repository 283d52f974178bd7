const drawEveryMs = 100;

export type Progress = { draw(done: number): void; clear(): void };

/** A bar that redraws itself at a terminal, where the total is known; elsewhere nothing is said until the end. */
export function createProgress(what: string, total: number | undefined): Progress {
  const isTerminal = Boolean(process.stderr.isTTY);
  let drawnAt = performance.now();
  let isDrawn = false;
  return {
    draw(done) {
      const now = performance.now();
      if (!isTerminal || now - drawnAt < drawEveryMs) return;
      drawnAt = now;
      isDrawn = true;
      const room = (process.stderr.columns || 80) - 1;
      process.stderr.write(`\r\x1b[2K${line(what, done, total).slice(0, room)}`);
    },
    clear() {
      if (isDrawn) process.stderr.write('\r\x1b[2K');
      isDrawn = false;
    },
  };
}

function line(what: string, done: number, total: number | undefined): string {
  const count = done.toLocaleString('en-GB');
  if (total === undefined) return `${what}: ${count}`;
  // What arrived meanwhile may make it more than there were.
  const share = Math.min(1, done / Math.max(total, 1));
  const bar = '#'.repeat(Math.floor(30 * share)).padEnd(30, '.');
  return `[${bar}] ${what}: ${count} of ${total.toLocaleString('en-GB')}`;
}
