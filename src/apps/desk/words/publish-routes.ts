import { join } from 'node:path';
import { describeProblem, type Problem } from '../../../core/content/content-error.ts';
import { parseText } from '../../../core/content/read-content.ts';
import { findPathAtLine } from '../../../core/content/source-positions.ts';
import { readTextFile } from '../../../core/content/text-file.ts';
import { isWorkerRunning } from '../../../core/database/recorded-runs.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { findCurrentBuild, publishedContent } from '../../../core/http/current-build.ts';
import { listDuePosts } from '../../../features/blog/due-posts.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { buildSteps } from '../../build/build-site.ts';
import { checkSources } from '../../build/check-site.ts';
import { pageSettings } from '../../build/create-page-settings.ts';
import { listBuildDifferences } from '../../build/fingerprint.ts';
import { listUnpublishedFiles } from '../../build/list-unpublished-files.ts';
import { createPublisher, type PublishState } from '../../build/publish-in-child.ts';
import type { OwnDeps } from '../own-deps.ts';
import { fieldId } from './labels.ts';
import type { PublishError, PublishProps } from './words-types.ts';

export function addPublishRoutes(app: DeskApp, { services, root, answer }: OwnDeps): void {
  const { config, clock } = services;
  const publisher = createPublisher(root, () => clock.now());
  const folder = join(root, 'content');

  async function collectProps(): Promise<PublishProps> {
    const isSiteRunning = await isWorkerRunning(services.domainDeps);
    const build = findCurrentBuild(join(root, 'dist'));
    const files = build ? listUnpublishedFiles(folder, join(build, publishedContent)) : [];
    const others = listBuildDifferences(root, build, config).filter(({ name }) => name !== 'content');
    const due = listDuePosts(build, clock.now()).map(post => `the day of ${post} has come`);
    const reason = [...others.map(({ text }) => text), ...due].join(', ');
    const state = publisher.getState();
    const errors =
      state.state === 'running' ? [] : checkSources(folder, pageSettings(config, folder)).problems;
    return {
      files,
      ...(build && reason && { reason }),
      errors: errors.map(problem => toError(problem, folder)),
      isFirst: build === undefined,
      publish: describe(state, clock.now(), folder),
      siteUrl: config.siteUrl ?? `http://localhost:${config.port}`,
      isSiteLocal: config.siteUrl === undefined,
      isSiteRunning,
    };
  }

  app.get('/words/publish', async context => {
    const props = await collectProps();
    return answer(context, { view: 'words/publish', title: 'Publish', area: 'words', props });
  });

  app.post('/words/publish', context => {
    publisher.start();
    return context.redirect('/words/publish', 303);
  });
}

function describe(state: PublishState, now: Date, folder: string): PublishProps['publish'] {
  if (state.state === 'idle') return state;
  if (state.state === 'running') {
    const steps = Object.entries(buildSteps);
    const current = steps.findIndex(([step]) => step === state.step);
    const stateOf = (index: number) => (index < current ? 'done' : index === current ? 'running' : 'waiting');
    return { state: 'running', steps: steps.map(([, text], index) => ({ text, state: stateOf(index) })) };
  }
  const at = formatMoment(state.finishedAt.toISOString(), now);
  return state.state === 'published'
    ? { state: 'published', at, seconds: state.seconds, warnings: state.warnings }
    : {
        state: 'failed',
        at,
        isBusy: state.isBusy,
        errors: state.errors.map(problem => toError(problem, folder)),
      };
}

/** An error of a file of content/ leads to its field. */
function toError(problem: Problem, folder: string): PublishError {
  const { place, reason } = problem;
  if (!place?.file.startsWith('content/')) return { text: describeProblem(problem) };
  const file = place.file.slice('content/'.length);
  const read = readTextFile(join(folder, file)).text;
  const parsed = read === undefined ? undefined : parseText(file, read).parsed;
  const path = parsed ? findPathAtLine(parsed, place.line) : [];
  const field = path.length > 0 ? `#${fieldId(path.join('/'))}` : '';
  return { text: reason, editor: { file, path: `/words/edit?${new URLSearchParams({ file })}${field}` } };
}
