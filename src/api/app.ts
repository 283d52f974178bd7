import { Hono } from 'hono';
import type { Ids } from '../lib/ids.ts';
import { errorFields, loggedPath } from '../lib/log.ts';
import { type ContactDeps, postContact } from './contact.ts';
import { contactPath } from './contract.ts';
import { problem } from './problem.ts';

export type AppDeps = ContactDeps & {
  ids: Ids;
  /** Able to store, and not on the way out. */
  isReady(): Promise<boolean>;
};

export type App = { fetch(request: Request): Response | Promise<Response> };

/** Everything that is not a file: Request → Response, so that a test needs no port. */
export function createApp(deps: AppDeps): App {
  const app = new Hono<{ Variables: { requestId: string } }>();

  app.use(async (context, next) => {
    const requestId = deps.ids.request();
    const started = performance.now();
    context.set('requestId', requestId);
    await next();
    context.header('x-request-id', requestId);
    const { method } = context.req;
    const path = loggedPath(context.req.path);
    const level = path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
    const ms = Math.round(performance.now() - started);
    deps.log[level]('request', { requestId, method, path, status: context.res.status, ms });
  });

  app.get('/healthz', () => plain(200, 'alive'));
  app.get('/readyz', async () => ((await deps.isReady()) ? plain(200, 'ready') : plain(503, 'not ready')));

  app.post(contactPath, context => postContact(deps, context.req.raw, context.get('requestId')));
  app.all(contactPath, context =>
    problem(405, { requestId: context.get('requestId'), headers: { allow: 'POST' } }),
  );
  app.on(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], ['/healthz', '/readyz'], context =>
    problem(405, { requestId: context.get('requestId'), headers: { allow: 'GET, HEAD' } }),
  );

  app.notFound(context => problem(404, { requestId: context.get('requestId') }));
  app.onError((error, context) => {
    deps.log.error('request failed', { requestId: context.get('requestId'), ...errorFields(error) });
    return problem(500, { requestId: context.get('requestId') });
  });
  return app;
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  });
}
