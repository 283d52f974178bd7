import { type Context, Hono } from 'hono';
import type { ConfirmDeps } from '../domain/newsletter/confirm-subscriber.ts';
import type { LeaveDeps } from '../domain/newsletter/unsubscribe.ts';
import type { Ids } from '../lib/ids.ts';
import { errorFields, loggedPath } from '../lib/log.ts';
import type { Asked } from './admission-control.ts';
import { type ContactDeps, postContact } from './contact.ts';
import {
  bouncesPath,
  contactPath,
  newsletterPath,
  refusedFragment,
  stepPaths,
  type TokenAnswer,
  tokenPath,
} from './contract.ts';
import { isForeignPost } from './guards/same-site.ts';
import { type NewsletterDeps, postNewsletter } from './newsletter.ts';
import { type BouncesDeps, postBounces } from './newsletter-bounces.ts';
import { postConfirm, postLeave } from './newsletter-steps.ts';
import type { RequestKind } from './request-counters.ts';
import { problem, replyJson, replyText } from './responses.ts';

export type AppDeps = ContactDeps & {
  ids: Ids;
  newsletter: NewsletterParts;
  siteUrl: string | undefined;
  isReady(): Promise<boolean>;
  /** Why deliveries are held, if this process's clock is wrong. Messages are accepted all the same. */
  findSkew(): Promise<string | undefined>;
  /** Logs the first refusal of its kind, and counts those that follow. */
  onRefused(refusal: { endpoint: string; status: number; level: 'debug' | 'info' }, tell: () => void): void;
};

type NewsletterParts = {
  signUps: NewsletterDeps['signUps'];
  subscribers: ConfirmDeps['subscribers'] & LeaveDeps['subscribers'] & BouncesDeps['subscribers'];
  naming: NewsletterDeps['newsletter'] & LeaveDeps['newsletter'];
  /** Without any, the bounces endpoint does not exist. */
  bounceSecrets: readonly Buffer[];
};

type Asker = { address: string };

export type App = { fetch(request: Request, asker?: Asker): Response | Promise<Response> };

export function createApp(deps: AppDeps): App {
  const app = new Hono<Env>();
  const { signUps, subscribers, naming, bounceSecrets } = deps.newsletter;
  const newsletterDeps = { ...deps, signUps, subscribers, newsletter: naming, bounceSecrets };

  app.use(async (context, next) => {
    const requestId = deps.ids.request();
    const started = performance.now();
    context.set('requestId', requestId);
    await next();
    const { method } = context.req;
    const kind = endpoints.find(({ path }) => path === context.req.path)?.kind ?? 'other';
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

  app.get('/healthz', context => replyText(200, 'alive', context.get('requestId')));
  app.get('/readyz', async context => {
    const isReady = await deps.isReady();
    const skew = isReady && (await deps.findSkew());
    const state = skew ? `ready, but deliveries are held: ${skew}` : 'ready';
    return replyText(isReady ? 200 : 503, isReady ? state : 'not ready', context.get('requestId'));
  });

  app.get(tokenPath, context => {
    const answer: TokenAnswer = { token: deps.formTokens.issue() };
    return replyJson(answer, context.get('requestId'));
  });
  app.post(contactPath, context => postContact(deps, context.req.raw, asked(context)));
  app.post(newsletterPath, context => postNewsletter(newsletterDeps, context.req.raw, asked(context)));
  app.post(stepPaths.confirm, context => postConfirm(newsletterDeps, context.req.raw, asked(context)));
  app.post(stepPaths.leave, context => postLeave(newsletterDeps, context.req.raw, asked(context)));
  const hasBounces = bounceSecrets.length > 0;
  if (hasBounces) {
    app.post(bouncesPath, context => postBounces(newsletterDeps, context.req.raw, asked(context)));
  }
  for (const { path, allow } of endpoints) {
    if (path === bouncesPath && !hasBounces) continue;
    app.all(path, (context, next) => {
      // The page of a step is a file, which the server answers.
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

/** Requested with every form, or by monitoring every minute. */
const quiet: RequestKind[] = ['health', 'token'];

const refusalPages: string[] = [stepPaths.refused, stepPaths.expired, stepPaths['not-left'], stepPaths.later];

/** A form without JavaScript is refused by a redirect. */
function isRefusal({ status, headers }: Response): boolean {
  if (status >= 400) return status < 500;
  const location = status === 303 ? (headers.get('location') ?? '') : '';
  return location.endsWith(`#${refusedFragment}`) || refusalPages.includes(location);
}

const endpoints: { path: string; kind: RequestKind; allow: string }[] = [
  { path: contactPath, kind: 'contact', allow: 'POST' },
  { path: newsletterPath, kind: 'newsletter', allow: 'POST' },
  { path: bouncesPath, kind: 'bounces', allow: 'POST' },
  { path: stepPaths.confirm, kind: 'step', allow: 'GET, HEAD, POST' },
  { path: stepPaths.leave, kind: 'step', allow: 'GET, HEAD, POST' },
  { path: tokenPath, kind: 'token', allow: 'GET, HEAD' },
  { path: '/healthz', kind: 'health', allow: 'GET, HEAD' },
  { path: '/readyz', kind: 'health', allow: 'GET, HEAD' },
];

type Env = { Variables: { requestId: string }; Bindings: Partial<Asker> };

function asked(context: Context<Env>): Asked {
  return { requestId: context.get('requestId'), address: context.env?.address ?? '' };
}
