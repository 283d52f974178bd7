import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import { createHttpService } from '../fakes/http-service.ts';
import { createSheetService, type SheetService } from '../fakes/sheet-service.ts';
import { buildStaticSite, staticEndpoints } from './builds.ts';

type StaticSite = AsyncDisposable & {
  origin: string;
  sheet: SheetService;
  letters: SheetService;
  /** A static host has no log. */
  lines: string[];
};

/**
 * The build for hosts without a server, on a host as Netlify and Cloudflare Pages are: a page without its ending, the 404
 * page, and the headers of the file. The services that it posts to are on origins of their own.
 */
export async function startStaticSite(): Promise<StaticSite> {
  const stack = new AsyncDisposableStack();
  const [sheet, letters] = [stack.use(await createSheetService()), stack.use(await createSheetService())];
  const folder = join(await buildStaticSite(), 'site');
  const read = (file: string) =>
    readFileSync(join(folder, file), 'latin1')
      .replaceAll(new URL(staticEndpoints.contactEndpoint).origin, sheet.origin)
      .replaceAll(new URL(staticEndpoints.newsletterEndpoint).origin, letters.origin);
  const rules = read('_headers')
    .split(/\n(?=\S)/)
    .map(block => block.trim().split(/\n\s*/));

  const host = await createHttpService(({ url: { pathname } }) => {
    const names = [pathname, `${pathname}.html`, `${pathname}index.html`];
    // The blog is a page and a folder.
    const found = names.find(name => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile());
    const file = found ?? '404.html';
    const headers = new Headers({ 'content-type': getMimeType(file) ?? 'application/octet-stream' });
    for (const [pattern = '', ...lines] of rules) {
      if (!new URLPattern({ pathname: pattern }).test({ pathname })) continue;
      // Two rules that name one header are joined: the file must not rely on the later one.
      for (const [name = '', value = ''] of lines.map(line => line.split(/: (.*)/)))
        headers.append(name, value);
    }
    const body = Buffer.from(read(file), 'latin1');
    return { status: found ? 200 : 404, headers: Object.fromEntries(headers), body };
  });
  const { origin } = stack.use(host);
  return { origin, sheet, letters, lines: [], [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
