import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { type AnyAnswer, createAnswer } from '../../core/desk/answer.ts';
import type { DeskApp } from '../../core/desk/desk-deps.ts';
import type { ProblemProps } from '../../core/desk/page.ts';
import { errorFields, type Log } from '../../core/log.ts';
import { maxImageMb } from '../../lib/image-limits.ts';
import type { DeskBundle } from '../build/build-desk.ts';
import type { Services } from '../server/wire.ts';
import { type Access, isAllowedOrigin, isLocalHost } from './access.ts';
import { type Areas, listLinks, loadAreas, switchesPath } from './areas.ts';
import { addFigureRoutes } from './figures/routes.ts';
import { deskHeaders } from './headers.ts';
import { addHealthRoutes } from './health/routes.ts';
import { addOverviewRoutes } from './overview/routes.ts';
import { addBrandRoutes } from './words/brand-routes.ts';
import { addImageRoutes } from './words/image-routes.ts';
import { openEditor } from './words/open-editor.ts';
import { addPreviewRoutes } from './words/preview-routes.ts';
import { addPublishRoutes } from './words/publish-routes.ts';
import { addWordsRoutes } from './words/routes.ts';

type DeskOptions = {
  services: Services;
  root: string;
  cleanup: AsyncDisposableStack;
  bundle: DeskBundle;
  siteName: string;
  access: Access;
};

export const signInPath = '/sign-in';
/** A file, with what a form adds to it. */
const maxBodyBytes = (maxImageMb + 0.1) * 1e6;

/** Routes have paths without the prefix, as props and views do. */
export async function createDesk(options: DeskOptions): Promise<DeskApp> {
  const { services, root, cleanup, bundle, siteName, access } = options;
  const { prefix } = access;
  const areas = await loadAreas(root);
  const app = new Hono();
  const desk = new Hono({ getPath: request => new URL(request.url).pathname.slice(prefix.length) });
  const answer = createAnswer(bundle, {
    siteName,
    prefix,
    get links() {
      return listLinks(areas.listOn());
    },
  });
  // Refusals are told to anyone who asks: they do not name the prefix.
  const refuse = createAnswer(bundle, { siteName });

  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(deskHeaders())) context.header(name, value);
    if (!isLocalHost(context.req.header('host'))) return context.text(wrongHost, 421);
    if (!isAllowedOrigin(context.req.raw)) return context.text(wrongOrigin, 403);
    return next();
  });

  app.get('/assets/*', context => {
    const file = bundle.files.get(context.req.path);
    if (!file) return context.notFound();
    context.header('Cache-Control', 'private, max-age=31536000, immutable');
    return context.body(file.bytes, 200, { 'content-type': file.type });
  });

  app.get(signInPath, context => {
    if (!access.signIn(context, context.req.query('token') ?? ''))
      return refuse(context, { view: 'problem', title: 'This link cannot be used', props: usedLink }, 401);
    // Opened by this page, the next one gets the cookie, wherever the link was clicked: the cookie is strict.
    return context.html(
      `<!doctype html><meta http-equiv="refresh" content="0;url=${prefix}/"><a href="${prefix}/">Open the desk</a>`,
    );
  });

  app.all(`${prefix}/*`, (context, next) =>
    access.isSignedIn(context) ? desk.fetch(context.req.raw, context.env) : next(),
  );
  app.notFound(context =>
    refuse(context, { view: 'problem', title: 'Open the desk by its link', props: noSession }, 401),
  );

  desk.use(async (context, next) => {
    for (const [name, value] of Object.entries(deskHeaders())) context.header(name, value);
    await next();
    const location = context.res.headers.get('location');
    if (location?.startsWith('/')) context.res.headers.set('location', prefix + location);
  });

  /** Asked before a form is posted. */
  desk.get('/session', context => context.body(null, 204));

  desk.use(bodyLimit({ maxSize: maxBodyBytes, onError: context => context.text(tooLarge, 413) }));

  const editor = openEditor({ services, root });
  const deps = { services, root, cleanup, answer, prefix, editor };
  addOverviewRoutes(desk, deps, areas);
  addFigureRoutes(desk, deps);
  addHealthRoutes(desk, deps);
  addBrandRoutes(desk, deps);
  addImageRoutes(desk, deps);
  addPreviewRoutes(desk, deps);
  addPublishRoutes(desk, deps);
  addWordsRoutes(desk, deps, areas);
  addAreaRoutes(desk, deps, areas);
  addErrorPages(desk, answer, services.log);
  return app;
}

function addErrorPages(desk: DeskApp, answer: AnyAnswer, log: Log): void {
  desk.notFound(context =>
    answer(context, { view: 'problem', title: 'There is no such page', props: notFound }, 404),
  );
  desk.onError(async (error, context) => {
    log.error('request failed', { path: context.req.path, ...errorFields(error) });
    const props = {
      text: `${error.message}. Part of it may be done: go back, load the page again and look before you repeat it.`,
      typed: await readTyped(context),
    };
    return answer(context, { view: 'problem', title: 'This did not work', props }, 500);
  });
}

/** The texts of the form that failed: a page that is gone back to is empty. Hidden fields have no spaces. */
async function readTyped({ req }: Context): Promise<string[]> {
  if (!/form/.test(req.header('content-type') ?? '')) return [];
  const values = Object.values(await req.parseBody().catch(() => ({})));
  return values.filter(value => typeof value === 'string').filter(value => /\s/.test(value.trim()));
}

const newLink = 'In the window where the desk was started, press Enter: it prints a new link.';
const usedLink: ProblemProps = {
  text: `A link opens the desk once, and only the newest one works. ${newLink}`,
};
const noSession: ProblemProps = {
  text: `This browser has no session, or the desk was restarted. ${newLink}`,
};
const notFound: ProblemProps = {
  text: 'What was here may have been deleted.',
  link: { text: 'To the overview', path: '/' },
};
const wrongHost = 'The desk answers at 127.0.0.1, [::1] and localhost only.\n';
const wrongOrigin = 'The desk takes no requests from other pages.\n';
const tooLarge = `This is too large: at most ${maxImageMb} MB.\n`;

/** The pages of a feature that is switched off say so, wherever a bookmark leads. */
function addAreaRoutes(
  desk: DeskApp,
  deps: Parameters<Areas['all'][number]['area']['addRoutes']>[1],
  areas: Areas,
): void {
  for (const { name, area } of areas.all) {
    for (const path of area.path ? [area.path, `${area.path}/*`] : [])
      desk.use(path, (context, next) => {
        if (areas.isOn(name)) return next();
        const props = { text: switchedOff, link: { text: 'To the switches', path: switchesPath } };
        return Promise.resolve(
          deps.answer(context, { view: 'problem', title: 'This is switched off', props }, 404),
        );
      });
    area.addRoutes(desk, deps);
  }
}

const switchedOff =
  'You have switched this off. What was kept is still there, and comes back when you switch it on again.';
