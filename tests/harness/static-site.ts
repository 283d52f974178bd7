import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { createSheetService, type SheetService } from '../fakes/sheet-service.ts';
import { buildStaticSite, staticEndpoints } from './builds.ts';

export type StaticSite = AsyncDisposable & {
  origin: string;
  sheet: SheetService;
  letters: SheetService;
  /** A static host has no log. */
  lines: string[];
};

/** The build for hosts without a server, on such a host; the services it posts to are on origins of their own. */
export async function startStaticSite(): Promise<StaticSite> {
  const [sheet, letters] = await Promise.all([createSheetService(), createSheetService()]);
  const outDir = await buildStaticSite();
  const places = [
    [staticEndpoints.contactEndpoint, `${sheet.url}api/1`],
    [staticEndpoints.newsletterEndpoint, `${letters.url}api/2`],
  ].flatMap(([built = '', here = '']) => [
    [built, here],
    [new URL(built).origin, new URL(here).origin],
  ]);
  const host = await startHost(join(outDir, 'site'), text =>
    places.reduce((changed, [built = '', here = '']) => changed.replaceAll(built, here), text),
  );
  return {
    origin: host.origin,
    sheet,
    letters,
    lines: [],
    async [Symbol.asyncDispose]() {
      host.close();
      await Promise.all([sheet, letters].map(service => service[Symbol.asyncDispose]()));
    },
  };
}

/** As Netlify and Cloudflare Pages do it: a page without its ending, the 404 page, and the headers of the file. */
async function startHost(
  folder: string,
  adapt: (text: string) => string,
): Promise<{ origin: string; close(): void }> {
  const rules = readRules(adapt(readFileSync(join(folder, '_headers'), 'utf8')));
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://host.invalid').pathname;
    const names = path === '/' ? ['index.html'] : [path.slice(1), `${path.slice(1)}.html`];
    const isFile = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.isFile();
    // The blog is a page and a folder.
    const found = names.find(name => name !== '_headers' && isFile(name));
    response.statusCode = request.method === 'GET' ? (found ? 200 : 404) : 405;
    const file = found ?? '404.html';
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    for (const { pattern, headers } of rules) {
      if (!matches(pattern, path)) continue;
      // Two rules that name one header are joined: the file must not rely on the later one.
      for (const [name, value] of headers) response.appendHeader(name, value);
    }
    const body = readFileSync(join(folder, file));
    response.end(/\.(html|js)$/.test(file) ? adapt(body.toString()) : body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

type Rule = { pattern: string; headers: [string, string][] };

export function readRules(text: string): Rule[] {
  return text.split(/\n(?=\S)/).map(block => {
    const [pattern = '', ...lines] = block.trim().split('\n');
    const headers = lines.map(
      line =>
        line
          .trim()
          .split(/: (.*)/)
          .slice(0, 2) as [string, string],
    );
    return { pattern, headers };
  });
}

export function matches(pattern: string, path: string): boolean {
  if (pattern.endsWith('/:post')) return path.replace(/[^/]+$/, ':post') === pattern;
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
