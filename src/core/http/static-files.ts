import { existsSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { decodeUri } from '../../lib/decode-uri.ts';
import { type HeaderSettings, headersFor, type ResponseKind } from './headers.ts';

export const encodings = ['br', 'zstd', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

export const suffixes: Record<Encoding, string> = { br: '.br', zstd: '.zst', gzip: '.gz' };

export type FileEntry = {
  path: string;
  file: string;
  kind: Exclude<ResponseKind, 'api'>;
  encodings: Encoding[];
  digest: string;
  styles?: string;
  outdatedSince?: string;
};

export const fileTable = 'files.json';

/** A small body is a string of its bytes, which node:http sends in one write with the head; a buffer takes a second. */
export type FileResponse = { etag: string; headers: string[]; notModified: string[]; body: Buffer | string };

const smallBody = 15 * 1024;

export type StaticFile = {
  kind: FileEntry['kind'];
  plain: FileResponse;
  encoded: Partial<Record<Encoding, FileResponse>>;
};

export type Files = {
  get(path: string): StaticFile | undefined;
  canonical(path: string): string | undefined;
  notFound: StaticFile;
  baseHeaders: string[];
};

/** Nothing is read, compressed or computed during a request. */
export function loadFiles(outDir: string, common: HeaderSettings = {}): Files {
  const table = join(outDir, fileTable);
  if (!existsSync(table)) throw new Error(`There is no build in ${outDir}: run 'npm run publish-site' first`);
  const entries: FileEntry[] = JSON.parse(readFileSync(table, 'utf8'));
  const files = new Map(
    entries.map(entry => [entry.path, loadFile(join(outDir, 'site'), entry, withStyles(common, [entry]))]),
  );
  const pages = new Map(
    entries.filter(({ kind }) => kind === 'page').map(({ path }) => [path.toLowerCase(), path]),
  );
  const notFound = files.get('/404.html');
  if (!notFound) throw new Error(`The build in ${outDir} has no 404 page: run 'npm run publish-site' again`);
  files.delete('/404.html');
  return {
    get: path => files.get(path),
    canonical: path => pages.get(normalizePath(path)),
    notFound,
    baseHeaders: Object.entries(headersFor('page', common)).flat(),
  };
}

export function withStyles(settings: HeaderSettings, entries: FileEntry[]): HeaderSettings {
  return { ...settings, styles: [...new Set(entries.flatMap(({ styles }) => styles ?? []))] };
}

function normalizePath(path: string): string {
  const plain = (decodeUri(path) ?? path)
    .toLowerCase()
    .replace(/\/{2,}/g, '/')
    .replace(/(\/index)?\.html?$/, '')
    .replace(/\/index$/, '/')
    .replace(/(.)\/$/, '$1');
  return plain || '/';
}

function loadFile(site: string, entry: FileEntry, settings: HeaderSettings): StaticFile {
  const file = join(site, entry.file);
  const encoded = entry.encodings.map(name => [
    name,
    buildResponse(entry, settings, readFileSync(file + suffixes[name]), name),
  ]);
  return {
    kind: entry.kind,
    plain: buildResponse(entry, settings, readFileSync(file)),
    encoded: Object.fromEntries(encoded),
  };
}

function buildResponse(
  entry: FileEntry,
  settings: HeaderSettings,
  body: Buffer,
  encoding?: Encoding,
): FileResponse {
  const etag = `"${entry.digest}${encoding ? `-${encoding}` : ''}"`;
  const common = Object.entries(headersFor(entry.kind, settings)).flat();
  common.push('ETag', etag);
  if (entry.encodings.length > 0) common.push('Vary', 'Accept-Encoding');
  const headers = [
    ...common,
    'Content-Type',
    getContentType(entry.file),
    'Content-Length',
    String(body.length),
  ];
  if (encoding) headers.push('Content-Encoding', encoding);
  return {
    etag,
    headers,
    notModified: common,
    body: body.length < smallBody ? body.toString('latin1') : body,
  };
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.pdf': 'application/pdf',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.speculationrules': 'application/speculationrules+json',
};

const namedTypes: Record<string, string> = {
  'rss.xml': 'application/rss+xml; charset=utf-8',
  'atom.xml': 'application/atom+xml; charset=utf-8',
};

export function getContentType(file: string): string {
  const type = namedTypes[basename(file)] ?? types[extname(file)];
  if (!type) throw new Error(`No content type is known for ${file}`);
  return type;
}
