import { type Context, Hono } from 'hono';
import type { Ids } from '../ids.ts';
import { errorFields, type Log, redactPath } from '../log.ts';
import { failsCsrfCheck } from './csrf.ts';
import type { Endpoint, EndpointContext } from './endpoint.ts';
import type { RequestCounters } from './request-counters.ts';
import { problem, replyText } from './responses.ts';

export type AppDeps = {
  ids: Ids;
  log: Log;
  siteUrl: string | undefined;
  counters: Pick<RequestCounters, 'request'>;
  isReady(): Promise<boolean>;
  onClientError(
    error: { endpoint: string; status: number; level: 'debug' | 'info' },
    logFirst: () => void,
  ): void;
};

type Client = { ip: string };

export type App = { fetch(request: Request, client?: Client): Response | Promise<Response> };

/** An endpoint with the running parts of its feature. What is off, which the next publish may change, is not found. */
export type BoundEndpoint = { endpoint: Endpoint; started: unknown; isOn(): boolean };

const coreEndpoints: readonly Endpoint<AppDeps>[] = [
  { path: '/healthz', kind: 'health', isLoggedAtDebug: true, get: getHealth },
  { path: '/readyz', kind: 'health', isLoggedAtDebug: true, get: getReadiness },
];

const otherKind = 'other';

export function createApp(deps: AppDeps, bound: readonly BoundEndpoint[]): App {
  const all = [...bound, ...coreEndpoints.map(endpoint => ({ endpoint, started: deps, isOn: () => true }))];
  const endpoints = all.map(({ endpoint }) => endpoint as Endpoint);
  const app = new Hono<Env>();
  addMiddleware(app, deps, endpoints);
  for (const { endpoint, started, isOn } of all) addEndpoint(app, endpoint as Endpoint, started, isOn);
  app.notFound(context => problem(404, { requestId: context.get('requestId') }));
  app.onError((error, context) => {
    deps.log.error('request failed', { requestId: context.get('requestId'), ...errorFields(error) });
    return problem(500, { requestId: context.get('requestId') });
  });
  return app;
}

type Env = { Variables: { requestId: string }; Bindings: Partial<Client> };

function addMiddleware(app: Hono<Env>, deps: AppDeps, endpoints: readonly Endpoint[]): void {
  const findKind = createKindFinder(endpoints);
  const debugKinds = endpoints.filter(one => one.isLoggedAtDebug).map(({ kind }) => kind);
  const errorPages = endpoints.flatMap(({ errorPages = [] }) => errorPages);
  const csrfExempt = new Set(endpoints.filter(one => one.isCsrfExempt).map(({ path }) => path));

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
    if (isClientError(context.res, errorPages))
      deps.onClientError({ endpoint: kind, status, level }, logRequest);
    else logRequest();
    deps.counters.request(kind, status, ms);
  });

  app.use((context, next) => {
    const { raw, path } = context.req;
    if (csrfExempt.has(path) || !failsCsrfCheck(raw, deps.siteUrl)) return next();
    return Promise.resolve(problem(403, { requestId: context.get('requestId') }));
  });
}

function addEndpoint(app: Hono<Env>, endpoint: Endpoint, started: unknown, isOn: () => boolean): void {
  const { path, get, post } = endpoint;
  const parameter = /:(\w+)$/.exec(path)?.[1];
  const getContext = (context: Context<Env>): EndpointContext => ({
    requestId: context.get('requestId'),
    ip: context.env?.ip ?? '',
    param: parameter === undefined ? '' : (context.req.param(parameter) ?? ''),
  });
  app.all(path, (context, next) => (isOn() ? next() : Promise.resolve(context.notFound())));
  if (get) app.get(path, context => get(started, context.req.raw, getContext(context)));
  if (post) app.post(path, context => post(started, context.req.raw, getContext(context)));
  const methods = [...(get || endpoint.hasPage ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])];
  const allow = methods.join(', ');
  app.all(path, (context, next) => {
    // The server answers GET for a static page with its file.
    if (methods.includes(context.req.method)) return next();
    return Promise.resolve(problem(405, { requestId: context.get('requestId'), headers: { allow } }));
  });
}

/** A form without JavaScript gets its error as a redirect. */
function isClientError({ status, headers }: Response, errorPages: readonly string[]): boolean {
  if (status >= 400) return status < 500;
  const location = status === 303 ? (headers.get('location') ?? '') : '';
  return location !== '' && errorPages.some(end => location.endsWith(end));
}

/** The kinds of all requests. */
export function listKinds(endpoints: readonly Endpoint<never>[]): string[] {
  return [...new Set([...endpoints, ...coreEndpoints].map(({ kind }) => kind)), otherKind];
}

/** Says which requests are for the app; the others are for files. */
export function createAppMatcher(endpoints: readonly Endpoint<never>[]) {
  const withoutFile = endpoints.filter(({ get }) => get).map(({ path }) => path.replace(/:\w+$/, '[^/?]+'));
  const answered = new RegExp(`^(/api/|(${['/healthz', '/readyz', ...withoutFile].join('|')})(\\?|$))`);
  const posted = new Set(endpoints.filter(({ hasPage }) => hasPage).map(({ path }) => path));
  return (url: string, method: string | undefined): boolean =>
    answered.test(url) || (method !== 'GET' && method !== 'HEAD' && posted.has(url.split('?', 1)[0] ?? ''));
}

function createKindFinder(endpoints: readonly Endpoint[]): (path: string) => string {
  const kinds = new Map(endpoints.map(({ path, kind }) => [path, kind]));
  const folders = endpoints
    .filter(({ path }) => path.includes(':'))
    .map(({ path, kind }) => ({ start: path.slice(0, path.indexOf(':')), kind }));
  return path => kinds.get(path) ?? folders.find(({ start }) => path.startsWith(start))?.kind ?? otherKind;
}

async function getHealth(_deps: AppDeps, _: Request, { requestId }: EndpointContext) {
  return replyText(200, 'alive', requestId);
}

/** No reasons: a stranger may ask, too. They are in the log, the desk and the metrics. */
async function getReadiness({ isReady }: AppDeps, _: Request, { requestId }: EndpointContext) {
  return (await isReady()) ? replyText(200, 'ready', requestId) : replyText(503, 'not ready', requestId);
}
