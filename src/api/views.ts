import { readView, type ToldView } from '../domain/views/read-view.ts';
import type { ViewCounts } from '../domain/views/view-counts.ts';
import { pagePaths, stepPaths } from './contract.ts';
import { isRobot } from './guards/is-robot.ts';
import type { RateLimit } from './guards/rate-limit.ts';
import { readBody } from './guards/read-body.ts';
import { problem } from './problem.ts';
import { reply } from './reply.ts';
import type { Asked } from './storing.ts';
import type { Tally, ViewResult } from './tally.ts';

export type ViewsDeps = {
  views: Pick<ViewCounts, 'count'>;
  /** Kept in memory: to count a page must cost no more than to serve it. */
  viewLimit: Pick<RateLimit, 'secondsToWait'>;
  /** Whether the site has this page beside those that every build has: the blog's own are known to whoever serves them. */
  hasPage(path: string): boolean;
  siteUrl: string | undefined;
  tally: Pick<Tally, 'view'>;
};

/** As long as an address may be. */
const bodyLimit = 16 * 1024;
const paths: ReadonlySet<string> = new Set([...Object.values(pagePaths), ...Object.values(stepPaths)]);

/**
 * `POST /api/views`: a page was shown, or a message sent. Whoever says who they are is not heard: nothing is looked at but
 * what decides whether it counts. The answer is the same whether it did.
 */
export async function postViews(deps: ViewsDeps, request: Request, asked: Asked): Promise<Response> {
  const { requestId } = asked;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'text/plain') return problem(415, { requestId, title: 'Tell of views as pages do' });
  const body = await readBody(request, bodyLimit);
  if ('status' in body) return problem(body.status, { requestId });
  deps.tally.view(await take(deps, request, body.text, asked));
  return reply(204, requestId, null, {});
}

async function take(deps: ViewsDeps, request: Request, text: string, asked: Asked): Promise<ViewResult> {
  const { headers } = request;
  if (headers.get('sec-gpc') === '1' || headers.get('dnt') === '1') return 'declined';
  if (isRobot(headers)) return 'robot';
  if ((await deps.viewLimit.secondsToWait(asked.address, 'view')) > 0) return 'limited';
  const hosts = [request.url, deps.siteUrl ?? request.url].map(address => new URL(address).hostname);
  const isPage = (path: string) => paths.has(path) || deps.hasPage(path);
  const view = readView(splitLines(text), { isPage, ownHosts: hosts });
  if (!view) return 'unreadable';
  deps.views.count(view);
  return view.kind;
}

/** One line for each, in this order. */
function splitLines(text: string): ToldView {
  const [kind = '', path = '', referrer = '', source = '', medium = '', campaign = ''] = text.split('\n', 6);
  return { kind, path, referrer, source, medium, campaign };
}
