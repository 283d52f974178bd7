import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { buildDesk } from '../../src/apps/build/build-desk.ts';
import { createAccess } from '../../src/apps/desk/access.ts';
import { createDesk, signInPath } from '../../src/apps/desk/app.ts';
import { serveDesk } from '../../src/apps/desk/serve-desk.ts';
import type { ServiceOverrides } from '../../src/apps/server/wire.ts';
import type { DeskApp } from '../../src/core/desk/desk-deps.ts';
import { databaseUnderTest } from './databases.ts';
import type { Copy } from './process.ts';
import { collectLog, root, testConfig, type WiredSite, wireSite } from './site.ts';

export type TestDesk = AsyncDisposable & {
  app: DeskApp;
  services: WiredSite;
  /** A copy of the project's content/, and where dist/ would be. */
  root: string;
  origin: string;
  /** Below it is the desk; paths of tests are those of the routes. */
  prefix: string;
  cookie: string;
  lines: string[];
  createLink(): string;
  /** A request of a browser that is signed in, without one. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** As a form sends it. */
  post(path: string, fields?: Record<string, string>): Promise<Response>;
  /** An empty page of a browser that is signed in. */
  openPage(browser: Browser, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
};

/** The desk on a free port of this machine, with a data folder and a copy of content/ of its own; to publish, a whole project. */
export async function startDesk(
  env: Record<string, string> = {},
  overrides: Partial<ServiceOverrides> = {},
  { project, port = 0 }: { project?: Copy; port?: number } = {},
): Promise<TestDesk> {
  const folder = project?.folder ?? mkdtempSync(join(tmpdir(), 'wardhouse-desk-'));
  if (!project) cpSync(join(root, 'content'), join(folder, 'content'), { recursive: true });
  const { log, lines } = collectLog();
  const database = await databaseUnderTest[0]?.create();
  const services = await wireSite(testConfig({ ...database?.env, ...env }), { log, ...overrides });
  const access = createAccess();
  const { prefix } = access;
  const bundle = await buildDesk();
  const cleanup = new AsyncDisposableStack();
  const siteName = 'Wardhouse';
  const app = await createDesk({ services, bundle, access, root: folder, cleanup, siteName });
  const running = await serveDesk(app, port);
  const origin = `http://127.0.0.1:${running.port}`;
  const createLink = () => `${signInPath}?token=${access.createLink()}`;
  const host = new URL(origin).host;
  const signIn = await app.request(createLink(), { headers: { host } });
  const cookie = (signIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const contexts: BrowserContext[] = [];

  async function request(path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const response = await app.request(prefix + path, {
      ...init,
      headers: { host, cookie, 'sec-fetch-site': 'same-origin', ...headers },
    });
    const location = response.headers.get('location');
    if (location?.startsWith(prefix)) response.headers.set('location', location.slice(prefix.length));
    return response;
  }

  return {
    ...{ app, services, root: folder, origin, prefix, cookie, lines, createLink, request },
    post: (path, fields = {}) => request(path, { method: 'POST', body: new URLSearchParams(fields) }),
    async openPage(browser, options) {
      const context = await browser.newContext({ baseURL: origin, ...options });
      contexts.push(context);
      const [name = '', value = ''] = cookie.split('=');
      const { hostname: domain } = new URL(origin);
      await context.addCookies([
        { name, value, domain, path: `${prefix}/`, httpOnly: true, sameSite: 'Strict' },
      ]);
      const page = await context.newPage();
      const goto = page.goto.bind(page);
      page.goto = (path, settings) =>
        goto(path.startsWith('/') && !path.startsWith(signInPath) ? prefix + path : path, settings);
      return page;
    },
    async [Symbol.asyncDispose]() {
      for (const context of contexts) await context.close();
      await running[Symbol.asyncDispose]();
      await cleanup.disposeAsync();
      await services[Symbol.asyncDispose]();
      await database?.remove();
      await project?.[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
