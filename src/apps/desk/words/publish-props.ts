import { join } from 'node:path';
import { describeProblem, type Problem } from '../../../core/content/content-error.ts';
import { parseText } from '../../../core/content/read-content.ts';
import { findPathAtLine } from '../../../core/content/source-positions.ts';
import { readTextFile } from '../../../core/content/text-file.ts';
import { isWorkerRunning } from '../../../core/database/recorded-runs.ts';
import { findCurrentBuild, publishedContent } from '../../../core/http/current-build.ts';
import { listDuePosts } from '../../../features/blog/due-posts.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { buildSteps } from '../../build/build-site.ts';
import { checkSources } from '../../build/check-site.ts';
import { pageSettings } from '../../build/create-page-settings.ts';
import { listBuildDifferences } from '../../build/fingerprint.ts';
import { listUnpublishedFiles } from '../../build/list-unpublished-files.ts';
import type { PublishState } from '../../build/publish-in-child.ts';
import type { Services } from '../../server/wire.ts';
import { fieldId } from './labels.ts';

/** What differs from the published site, and how publishing goes. */
export async function buildPublishProps(services: Services, root: string, state: PublishState) {
  const { config, clock } = services;
  const folder = join(root, 'content');
  const isSiteRunning = await isWorkerRunning(services.domainDeps);
  const build = findCurrentBuild(join(root, 'dist'));
  const files = build ? listUnpublishedFiles(folder, join(build, publishedContent)) : [];
  const others = listBuildDifferences(root, build, config).filter(({ name }) => name !== 'content');
  const due = listDuePosts(build, clock.now()).map(post => `the day of ${post} has come`);
  // Why the published site is not the present one, beside changed files.
  const reason = [...others.map(({ text }) => text), ...due].join(', ');
  const errors = state.state === 'running' ? [] : checkSources(folder, pageSettings(config, folder)).problems;
  return {
    files,
    ...(build && reason && { reason }),
    errors: errors.map(problem => toError(problem, folder)),
    isFirst: build === undefined,
    publish: describe(state, clock.now(), folder),
    siteUrl: config.siteUrl ?? `http://localhost:${config.port}`,
    // Its link works only in a browser on its own machine.
    isSiteLocal: config.siteUrl === undefined,
    isSiteRunning,
  };
}

function describe(state: PublishState, now: Date, folder: string) {
  if (state.state === 'idle') return { state: 'idle' } as const;
  if (state.state === 'running') {
    const steps = Object.entries(buildSteps);
    const current = steps.findIndex(([step]) => step === state.step);
    const describeStep = ([, text]: [string, string], index: number) =>
      ({ text, state: index < current ? 'done' : index === current ? 'running' : 'waiting' }) as const;
    return { state: 'running', steps: steps.map(describeStep) } as const;
  }
  const at = formatMoment(state.finishedAt.toISOString(), now);
  if (state.state === 'published') {
    const { seconds, warnings } = state;
    return { state: 'published', at, seconds, warnings } as const;
  }
  const errors = state.errors.map(problem => toError(problem, folder));
  return { state: 'failed', at, isBusy: state.isBusy, errors } as const;
}

/** An error of a file of content/ leads to its field. */
function toError(problem: Problem, folder: string) {
  const { place, reason } = problem;
  if (!place?.file.startsWith('content/')) return { text: describeProblem(problem) };
  const file = place.file.slice('content/'.length);
  const read = readTextFile(join(folder, file)).text;
  const parsed = read === undefined ? undefined : parseText(file, read).parsed;
  const path = parsed ? findPathAtLine(parsed, place.line) : [];
  const field = path.length > 0 ? `#${fieldId(path.join('/'))}` : '';
  return { text: reason, editor: { file, path: `/words/edit?${new URLSearchParams({ file })}${field}` } };
}
