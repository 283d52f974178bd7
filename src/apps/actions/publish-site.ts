import * as v from 'valibot';
import { actionsNeeding, field, flag, Refusal } from '../../core/action.ts';
import { busyExitCode, listDuePosts } from '../../features/blog/due-posts.ts';
import { BuildError, buildSteps } from '../build/build-site.ts';
import type { PublishReport } from '../build/publish-in-child.ts';
import { PublishInProgressError, publishSite } from '../build/publish-site.ts';
import { dist } from '../cli/exit-on-error.ts';
import { splitMessage } from '../cli/print.ts';
import type { Config } from '../server/config.ts';

const defineAction = actionsNeeding<{ config: Config }>();

/** Set where the desk has started this process. */
const toDesk =
  process.send &&
  ((report: PublishReport) => new Promise<void>(sent => process.send?.(report, () => sent())));

export const publish = defineAction({
  name: 'publish-site',
  about: `Checks content/, builds the site and publishes it. A running server shows it within seconds; if the \
build fails, nothing changes.`,
  examples: [''],
  opens: 'nothing',
  input: v.object({
    duePosts: flag('--due-posts', 'only if a scheduled post is due and no other process is publishing'),
    wait: field('--no-wait', 'stop at once if another process is publishing', v.optional(v.boolean(), true)),
  }),
  async run({ config }, { duePosts: isOnlyForDuePosts, wait }, progress) {
    const started = performance.now();
    const warnings: string[] = [];
    const isPublished = await publishSite({
      config,
      dist,
      warn(warning) {
        warnings.push(warning);
        if (toDesk) toDesk({ warning });
        else progress?.({ lines: [`Warning: ${warning}`] });
      },
      ...((isOnlyForDuePosts || !wait) && { lockTimeoutMs: 0 }),
      ...(isOnlyForDuePosts
        ? { isNeeded: current => listDuePosts(current, new Date()).length > 0 }
        : { onStep: step => (toDesk ? toDesk({ step }) : progress?.(`${buildSteps[step]}…`)) }),
    }).catch(async error => {
      if (!(error instanceof BuildError)) throw error;
      await toDesk?.({ errors: error.problems });
      const [message, ...details] = splitMessage(error);
      throw new Refusal(message, details, error instanceof PublishInProgressError ? busyExitCode : 1);
    });
    return { isPublished, seconds: Math.round((performance.now() - started) / 100) / 10, warnings };
  },
  print: ({ isPublished, seconds }, _, { config: { siteUrl } }) => {
    const published = `Published in ${seconds.toFixed(1)} s${siteUrl ? ` for ${siteUrl}` : ''}`;
    return [{ lines: [isPublished ? published : 'No scheduled post is due'] }];
  },
});
