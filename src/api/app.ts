import { Hono } from 'hono';
import type { Ids } from '../lib/ids.ts';
import { errorFields, loggedPath } from '../lib/log.ts';
import { type ContactDeps, postContact } from './contact.ts';
import { contactPath } from './contract.ts';
import { problem } from './problem.ts';
import { reply } from './reply.ts';

export type AppDeps = ContactDeps & {
  ids: Ids;
  /** Able to store, and not on the way out. */
  isReady(): Promise<boolean>;
};

/** Who asks, as the server sees it; a request made by hand comes from nowhere. */
export type Asker = { address: string };

export type App = { fetch(request: Request, asker?: Asker): Response | Promise<Response> };

/** Everything that is not a file: Request → Response, so that a test needs no port. */
export function createApp(deps: AppDeps): App {
  const app = new Hono<{ Variables: { requestId: string }; Bindings: Partial<Asker> }>();

  app.use(async (context, next) => {
    const requestId = deps.ids.request();
    const started = performance.now();
    context.set('requestId', requestId);
    await next();
    const { method } = context.req;
    const path = loggedPath(context.req.path);
    const level = path === '/healthz' || path === '/readyz' ? 'debug' : 'info';
    const ms = Math.round(performance.now() - started);
    deps.log[level]('request', { requestId, method, path, status: context.res.status, ms });
  });

  app.get('/healthz', context => plain(200, 'alive', context.get('requestId')));
  app.get('/readyz', async context => {
    const isReady = await deps.isReady();
    return plain(isReady ? 200 : 503, isReady ? 'ready' : 'not ready', context.get('requestId'));
  });

  app.post(contactPath, context => {
    const { address = '' } = context.env ?? {};
    return postContact(deps, context.req.raw, { requestId: context.get('requestId'), address });
  });
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

function plain(status: number, text: string, requestId: string): Response {
  return reply(status, requestId, `${text}\n`, { 'content-type': 'text/plain; charset=utf-8' });
}
