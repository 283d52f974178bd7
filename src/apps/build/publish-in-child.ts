import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Problem } from '../../core/content/content-error.ts';
import { busyExitCode } from '../../features/blog/due-posts.ts';
import type { BuildStep } from './build-site.ts';

export type PublishState =
  | { state: 'idle' }
  | { state: 'running'; startedAt: Date; step: BuildStep; pid?: number | undefined }
  | { state: 'published'; finishedAt: Date; seconds: number; warnings: string[] }
  /** `isBusy`: another process is publishing. */
  | { state: 'failed'; finishedAt: Date; isBusy: boolean; errors: Problem[] };

export type Publisher = ReturnType<typeof createPublisher>;

/** What the publishing process sends to the one that started it. */
export type PublishReport = { step: BuildStep } | { warning: string } | { errors: readonly Problem[] };

/** Publishes in a process of its own: a build blocks. If that process is killed, the published site stays as it was. */
export function createPublisher(root: string, now: () => Date = () => new Date()) {
  let current: PublishState = { state: 'idle' };

  function publish(): void {
    const startedAt = now();
    const warnings: string[] = [];
    const errors: Problem[] = [];
    const script = join(root, 'src/apps/cli/publish-site.ts');
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
    let unexpected = '';
    child.stderr?.setEncoding('utf8').on('data', text => {
      unexpected += text;
    });
    child.on('error', error => finish(1, [{ reason: error.message }]));
    child.on('close', (code, signal) =>
      finish(code, signal ? [{ reason: `The process was ended (${signal}) before it had finished` }] : []),
    );

    /** A process that cannot be started has an error and then also an end. */
    function finish(code: number | null, more: Problem[]): void {
      if (current.state !== 'running') return;
      const printed = unexpected.split('\n').flatMap(reason => (reason ? [{ reason }] : []));
      const finishedAt = now();
      const seconds = Math.round((finishedAt.getTime() - startedAt.getTime()) / 1000);
      current =
        code === 0
          ? { state: 'published', finishedAt, seconds, warnings }
          : {
              state: 'failed',
              finishedAt,
              isBusy: code === busyExitCode,
              // The command prints what it has sent, too.
              errors: [...(errors.length > 0 ? errors : printed), ...more],
            };
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
