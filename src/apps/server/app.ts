import { type Context, Hono } from 'hono';
import type { RequestContext } from '../../core/http/admission-control.ts';
import { failsCsrfCheck } from '../../core/http/csrf.ts';
import type { RequestKind } from '../../core/http/request-counters.ts';
import { problem, replyJson, replyText } from '../../core/http/responses.ts';
import type { Ids } from '../../core/ids.ts';
import { errorFields, redactPath } from '../../core/log.ts';
import { postAudit } from '../../features/audit/api/audit.ts';
import {
  type AuditPageDeps,
  getReportPage,
  postAuditForm,
  postReport,
} from '../../features/audit/api/audit-pages.ts';
import { auditApiPath, auditPaths } from '../../features/audit/contract.ts';
import { type ContactDeps, postContact } from '../../features/messages/api/contact.ts';
import {
  contactPath,
  notSentFragment,
  type TokenResponse,
  tokenPath,
} from '../../features/messages/contract.ts';
import { type BouncesDeps, postBounces } from '../../features/newsletter/api/newsletter-bounces.ts';
import { postConfirm, postUnsubscribe } from '../../features/newsletter/api/newsletter-links.ts';
import { type NewsletterDeps, postNewsletter } from '../../features/newsletter/api/newsletter-sign-up.ts';
import type { ConfirmDeps } from '../../features/newsletter/confirm-subscriber.ts';
import { bouncesPath, newsletterPaths, signUpPath } from '../../features/newsletter/contract.ts';
import type { UnsubscribeDeps } from '../../features/newsletter/unsubscribe.ts';

export type AppDeps = ContactDeps &
  NewsletterDeps &
  ConfirmDeps &
  UnsubscribeDeps &
  BouncesDeps &
  AuditPageDeps & {
    ids: Ids;
    siteUrl: string | undefined;
    isReady(): Promise<boolean>;
    onClientError(
      error: { endpoint: string; status: number; level: 'debug' | 'info' },
      logFirst: () => void,
    ): void;
  };

type Client = { ip: string };

export type App = { fetch(request: Request, client?: Client): Response | Promise<Response> };

export function createApp(deps: AppDeps): App {
  const app = new Hono<Env>();

  app.use(async (context, next) => {
    const requestId = deps.ids.uuid();
    const started = performance.now();
    context.set('requestId', requestId);
    await next();
    const { method } = context.req;
    const kind = findKind(context.req.path);
    const path = redactPath(context.req.path);
    const level = debugKinds.includes(kind) ? 'debug' : 'info';
    const ms = performance.now() - started;
    const { status } = context.res;
    const logRequest = () =>
      deps.log[level]('request', { requestId, method, path, status, ms: Math.round(ms) });
    if (isClientError(context.res)) deps.onClientError({ endpoint: kind, status, level }, logRequest);
    else logRequest();
    deps.counters.request(kind, status, ms);
  });

  app.use((context, next) => {
    const { raw, path } = context.req;
    if (csrfExemptPaths.includes(path) || !failsCsrfCheck(raw, deps.siteUrl)) return next();
    return Promise.resolve(problem(403, { requestId: context.get('requestId') }));
  });

  app.get('/healthz', context => replyText(200, 'alive', context.get('requestId')));
  app.get('/readyz', async context => {
    // No reasons: a stranger may ask, too. They are in the log, the desk and the metrics.
    const [status, text] = (await deps.isReady()) ? ([200, 'ready'] as const) : ([503, 'not ready'] as const);
    return replyText(status, text, context.get('requestId'));
  });

  app.get(tokenPath, context => {
    const token: TokenResponse = { token: deps.formTokens.create() };
    return replyJson(token, context.get('requestId'));
  });
  app.post(contactPath, context => postContact(deps, context.req.raw, getRequestContext(context)));
  app.post(signUpPath, context => postNewsletter(deps, context.req.raw, getRequestContext(context)));
  app.post(newsletterPaths.confirm, context =>
    postConfirm(deps, context.req.raw, getRequestContext(context)),
  );
  app.post(newsletterPaths.unsubscribe, context =>
    postUnsubscribe(deps, context.req.raw, getRequestContext(context)),
  );
  app.post(auditApiPath, context => postAudit(deps, context.req.raw, getRequestContext(context)));
  app.post(auditPaths.page, context => postAuditForm(deps, context.req.raw, getRequestContext(context)));
  app.get(reportRoute, context =>
    getReportPage(deps, context.req.param('token'), getRequestContext(context)),
  );
  app.post(reportRoute, context =>
    postReport(deps, context.req.param('token'), context.req.raw, getRequestContext(context)),
  );
  const hasBounces = deps.bounceSecrets.length > 0;
  if (hasBounces) {
    app.post(bouncesPath, context => postBounces(deps, context.req.raw, getRequestContext(context)));
  }
  for (const { path, allow } of endpoints) {
    if (path === bouncesPath && !hasBounces) continue;
    app.all(path, (context, next) => {
      // The server answers GET for a newsletter page with a static file.
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

/** These authenticate each request: by token, by key (RFC 8058), by the provider's signature. */
const csrfExemptPaths: string[] = [newsletterPaths.confirm, newsletterPaths.unsubscribe, bouncesPath];

const debugKinds: RequestKind[] = ['health', 'token'];

const errorPages: string[] = [
  newsletterPaths.invalid,
  newsletterPaths.expired,
  newsletterPaths.unsubscribeFailed,
  newsletterPaths.unavailable,
];

/** A form without JavaScript gets its error as a redirect. */
function isClientError({ status, headers }: Response): boolean {
  if (status >= 400) return status < 500;
  const location = status === 303 ? (headers.get('location') ?? '') : '';
  return location.endsWith(`#${notSentFragment}`) || errorPages.includes(location);
}

const reportRoute = `${auditPaths.report}/:token` as const;

function findKind(path: string): RequestKind {
  if (path.startsWith(`${auditPaths.report}/`)) return 'audit';
  return endpoints.find(endpoint => endpoint.path === path)?.kind ?? 'other';
}

const endpoints: { path: string; kind: RequestKind; allow: string }[] = [
  { path: contactPath, kind: 'contact', allow: 'POST' },
  { path: signUpPath, kind: 'newsletter', allow: 'POST' },
  { path: bouncesPath, kind: 'bounces', allow: 'POST' },
  { path: newsletterPaths.confirm, kind: 'newsletter-link', allow: 'GET, HEAD, POST' },
  { path: newsletterPaths.unsubscribe, kind: 'newsletter-link', allow: 'GET, HEAD, POST' },
  { path: auditApiPath, kind: 'audit', allow: 'POST' },
  { path: auditPaths.page, kind: 'audit', allow: 'GET, HEAD, POST' },
  { path: reportRoute, kind: 'audit', allow: 'GET, HEAD, POST' },
  { path: tokenPath, kind: 'token', allow: 'GET, HEAD' },
  { path: '/healthz', kind: 'health', allow: 'GET, HEAD' },
  { path: '/readyz', kind: 'health', allow: 'GET, HEAD' },
];

type Env = { Variables: { requestId: string }; Bindings: Partial<Client> };

function getRequestContext(context: Context<Env>): RequestContext {
  return { requestId: context.get('requestId'), ip: context.env?.ip ?? '' };
}
