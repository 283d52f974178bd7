import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { busyExitCode } from './blog/due-posts.ts';
import type { BuildStep } from './build-site.ts';

export type PublishState =
  | { state: 'idle' }
  | { state: 'running'; startedAt: Date; step: BuildStep; pid?: number | undefined }
  | { state: 'published'; finishedAt: Date; seconds: number; warnings: string[] }
  /** `isBusy`: another process is publishing. */
  | { state: 'failed'; finishedAt: Date; isBusy: boolean; errors: string[] };

export type Publisher = ReturnType<typeof createPublisher>;

/** What the publishing process sends to the one that started it. */
export type PublishReport = { step: BuildStep } | { warning: string } | { errors: string[] };

/** Publishes in a process of its own: a build blocks. If that process is killed, the published site stays as it was. */
export function createPublisher(root: string, now: () => Date = () => new Date()) {
  let current: PublishState = { state: 'idle' };

  function publish(): void {
    const startedAt = now();
    const warnings: string[] = [];
    const errors: string[] = [];
    const script = join(root, 'src/cli/publish-site.ts');
    const child = spawn(process.execPath, [script, '--no-wait'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: 10 * 60_000,
    });
    const { pid } = child;
    current = { state: 'running', startedAt, step: 'check', pid };
    child.on('message', (report: PublishReport) => {
      if ('step' in report) current = { state: 'running', startedAt, step: report.step, pid };
      else if ('warning' in report) warnings.push(report.warning);
      else errors.push(...report.errors);
    });
    // What it did not expect.
    child.stderr?.setEncoding('utf8').on('data', text => errors.push(...text.trimEnd().split('\n')));
    child.on('error', error => finish(1, [error.message]));
    child.on('close', (code, signal) =>
      finish(code, signal ? [`The process was ended (${signal}) before it had finished`] : []),
    );

    /** A process that cannot be started has an error and then also an end. */
    function finish(code: number | null, more: string[]): void {
      if (current.state !== 'running') return;
      const finishedAt = now();
      const seconds = Math.round((finishedAt.getTime() - startedAt.getTime()) / 1000);
      current =
        code === 0
          ? { state: 'published', finishedAt, seconds, warnings }
          : { state: 'failed', finishedAt, isBusy: code === busyExitCode, errors: [...errors, ...more] };
    }
  }

  return {
    getState: () => current,
    /** Nothing happens while this process is publishing already. */
    start(): void {
      if (current.state !== 'running') publish();
    },
  };
}
