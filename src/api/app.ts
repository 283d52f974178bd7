import { type Context, Hono } from 'hono';
import type { ConfirmDeps } from '../domain/subscribers/confirm-subscriber.ts';
import type { LeaveDeps } from '../domain/subscribers/leave-newsletter.ts';
import type { Ids } from '../lib/ids.ts';
import { errorFields, loggedPath } from '../lib/log.ts';
import { type ContactDeps, postContact } from './contact.ts';
import {
  bouncesPath,
  contactPath,
  newsletterPath,
  refusedFragment,
  reportsPath,
  stepPaths,
  tokenPath,
  viewsPath,
} from './contract.ts';
import { isForeignPost } from './guards/same-site.ts';
import { type NewsletterDeps, postNewsletter } from './newsletter.ts';
import { type BouncesDeps, postBounces } from './newsletter-bounces.ts';
import { postConfirm, postLeave } from './newsletter-steps.ts';
import { problem } from './problem.ts';
import { reply } from './reply.ts';
import { createReports } from './reports.ts';
import type { Asked } from './storing.ts';
import type { RequestKind } from './tally.ts';
import { getToken } from './token.ts';
import { postViews, type ViewsDeps } from './views.ts';

export type AppDeps = ContactDeps & {
  ids: Ids;
  newsletter: NewsletterParts;
  siteUrl: string | undefined;
  /** Absent where nothing is counted. */
  viewing: ViewingParts | undefined;
  /** Able to store, and not on the way out. */
  isReady(): Promise<boolean>;
  /** Tells of the first of its kind, and counts those that follow. */
  onRefused(refusal: { endpoint: string; status: number; level: 'debug' | 'info' }, tell: () => void): void;
};

/** What the newsletter's own endpoints need beside the rest. */
export type NewsletterParts = {
  subscribers: NewsletterDeps['subscribers'] &
    ConfirmDeps['subscribers'] &
    LeaveDeps['subscribers'] &
    BouncesDeps['subscribers'];
  naming: NewsletterDeps['newsletter'] & LeaveDeps['newsletter'];
  /** Without any, there is no address for bounces. */
  bounceSecrets: readonly Buffer[];
};

export type ViewingParts = Pick<ViewsDeps, 'views' | 'viewLimit' | 'hasPage'>;

/** Who asks, as the server sees it; a request made by hand comes from nowhere. */
export type Asker = { address: string };

export type App = { fetch(request: Request, asker?: Asker): Response | Promise<Response> };

/** Everything that is not a file: Request → Response, so that a test needs no port. */
export function createApp(deps: AppDeps): App {
  const app = new Hono<Env>();
  const { subscribers, naming, bounceSecrets } = deps.newsletter;
  const newsletterDeps = { ...deps, subscribers, newsletter: naming, bounceSecrets };

  app.use(async (context, next) => {
    const requestId = deps.ids.request();
    const started = performance.now();
    context.set('requestId', requestId);
    await next();
    const { method } = context.req;
    const kind = kinds.get(context.req.path) ?? 'other';
    const path = loggedPath(context.req.path);
    const level = quiet.includes(kind) ? 'debug' : 'info';
    const ms = performance.now() - started;
    const { status } = context.res;
    const tell = () => deps.log[level]('request', { requestId, method, path, status, ms: Math.round(ms) });
    if (isRefusal(context.res)) deps.onRefused({ endpoint: kind, status, level }, tell);
    else tell();
    deps.tally.request(kind, status, ms);
  });

  app.use((context, next) => {
    const { raw, path } = context.req;
    if (!isForeignPost(raw, path, deps.siteUrl)) return next();
    return Promise.resolve(problem(403, { requestId: context.get('requestId') }));
  });

  app.get('/healthz', context => plain(200, 'alive', context.get('requestId')));
  app.get('/readyz', async context => {
    const isReady = await deps.isReady();
    return plain(isReady ? 200 : 503, isReady ? 'ready' : 'not ready', context.get('requestId'));
  });

  app.get(tokenPath, context => getToken(deps.formTokens, context.get('requestId')));
  app.post(contactPath, context => postContact(deps, context.req.raw, asked(context)));
  app.post(newsletterPath, context => postNewsletter(newsletterDeps, context.req.raw, asked(context)));
  app.post(stepPaths.confirm, context => postConfirm(newsletterDeps, context.req.raw, asked(context)));
  app.post(stepPaths.leave, context => postLeave(newsletterDeps, context.req.raw, asked(context)));
  const postReports = createReports(deps);
  app.post(reportsPath, context => postReports(context.req.raw, asked(context)));
  const postOnly: string[] = [contactPath, newsletterPath, reportsPath];
  if (bounceSecrets.length > 0) {
    app.post(bouncesPath, context => postBounces(newsletterDeps, context.req.raw, asked(context)));
    postOnly.push(bouncesPath);
  }
  if (deps.viewing) {
    const viewsDeps = { ...deps, ...deps.viewing };
    app.post(viewsPath, context => postViews(viewsDeps, context.req.raw, asked(context)));
    postOnly.push(viewsPath);
  }
  const allowed = [
    ...postOnly.map(path => [path, 'POST'] as const),
    ...[stepPaths.confirm, stepPaths.leave].map(path => [path, 'GET, HEAD, POST'] as const),
    ...['/healthz', '/readyz', tokenPath].map(path => [path, 'GET, HEAD'] as const),
  ];
  for (const [path, allow] of allowed) {
    app.all(path, (context, next) => {
      // The page of a step is a file.
      if (allow.split(', ').includes(context.req.method)) return next();
      return Promise.resolve(problem(405, { requestId: context.get('requestId'), headers: { allow } }));
    });
  }

  app.notFound(context => problem(404, { requestId: context.get('requestId') }));
  app.onError((error, context) => {
    deps.log.error('request failed', { requestId: context.get('requestId'), ...errorFields(error) });
    return problem(500, { requestId: context.get('requestId') });
  });
  return app;
}

/** What comes with every page or by the minute, and reports, which have lines of their own. */
const quiet: RequestKind[] = ['health', 'token', 'views', 'reports'];

const refusalPages: string[] = [stepPaths.refused, stepPaths.expired, stepPaths['not-left'], stepPaths.later];

/** A form without a script is refused by the page it is sent to. */
function isRefusal({ status, headers }: Response): boolean {
  if (status >= 400) return status < 500;
  const location = status === 303 ? (headers.get('location') ?? '') : '';
  return location.endsWith(`#${refusedFragment}`) || refusalPages.includes(location);
}

const kinds = new Map<string, RequestKind>([
  [contactPath, 'contact'],
  [tokenPath, 'token'],
  [newsletterPath, 'newsletter'],
  [stepPaths.confirm, 'step'],
  [stepPaths.leave, 'step'],
  [bouncesPath, 'bounces'],
  [reportsPath, 'reports'],
  [viewsPath, 'views'],
  ['/healthz', 'health'],
  ['/readyz', 'health'],
]);

type Env = { Variables: { requestId: string }; Bindings: Partial<Asker> };

function asked(context: Context<Env>): Asked {
  return { requestId: context.get('requestId'), address: context.env?.address ?? '' };
}

function plain(status: number, text: string, requestId: string): Response {
  return reply(status, requestId, `${text}\n`, { 'content-type': 'text/plain; charset=utf-8' });
}
