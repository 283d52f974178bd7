import { busyExitCode, listDuePosts } from '../../features/blog/due-posts.ts';
import { BuildError, buildSteps } from '../build/build-site.ts';
import type { PublishReport } from '../build/publish-in-child.ts';
import { PublishInProgressError, publishSite } from '../build/publish-site.ts';
import type { Config } from '../server/config.ts';
import { createCommand, type Flags, runCommand, withConfig } from './command.ts';
import { dist } from './exit-on-error.ts';
import { printError, printNote, splitMessage } from './print.ts';
import { printLines } from './terminal.ts';

const about = `Checks content/, builds the site and publishes it. A running server shows it within seconds; if the \
build fails, nothing changes.`;

/** Set where the desk has started this process. */
const toDesk =
  process.send &&
  ((report: PublishReport) => new Promise<void>(sent => process.send?.(report, () => sent())));

await runCommand(
  createCommand('publish-site', about, '')
    .option('--due-posts', 'only if a scheduled post is due and no other process is publishing')
    .option('--no-wait', 'stop at once if another process is publishing')
    .action(withConfig(publish)),
);

async function publish(
  config: Config,
  { duePosts: isOnlyForDuePosts, wait }: Flags<'duePosts'> & { wait: boolean },
): Promise<void> {
  const started = performance.now();
  try {
    const isPublished = await publishSite({
      config,
      dist,
      warn: text => (toDesk ? toDesk({ warning: text }) : printLines([`Warning: ${text}`])),
      ...((isOnlyForDuePosts || !wait) && { lockTimeoutMs: 0 }),
      ...(isOnlyForDuePosts
        ? { isNeeded: current => listDuePosts(current, new Date()).length > 0 }
        : { onStep: step => (toDesk ? toDesk({ step }) : printNote(`${buildSteps[step]}…`)) }),
    });
    if (!isPublished) return printLines(['No scheduled post is due']);
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    if (toDesk) await toDesk({ errors: error.problems });
    else {
      const [message, ...details] = splitMessage(error);
      printError(message);
      for (const line of details) printNote(line);
    }
    process.exit(error instanceof PublishInProgressError ? busyExitCode : 1);
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  printLines([`Published in ${seconds} s${config.siteUrl ? ` for ${config.siteUrl}` : ''}`]);
}
