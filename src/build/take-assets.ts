import { createHash } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from 'vite';
import type { Assets } from './document.ts';
import { siteColour } from './found/pictures.ts';
import type { PageList } from './page-list.ts';

/** The hashed names that the pages must know, from Vite's manifest, which visitors have no use for. */
export function takeAssets(site: string, { names }: PageList): Assets {
  const file = join(site, 'manifest.json');
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  const addressOf = (source: string) => {
    const chunk = manifest[source];
    if (!chunk) throw new Error(`The build made no ${source}`);
    return `/${chunk.file}`;
  };
  const fontNamed = (name: string) => {
    const font = Object.values(manifest).find(({ src }) => src?.endsWith(`/${name}`));
    if (!font) throw new Error(`The build made no ${name}`);
    return `/${font.file}`;
  };
  const chunks = { main: addressOf('src/site/main.tsx'), ...common(manifest) };
  const pages = names.map(name => [name, addressOf(`src/site/pages/${name}.tsx`)]);
  assertPagesStandAlone(manifest);
  const boot = addressOf('src/site/boot.ts');
  return {
    boot,
    styles: { sheet: takeSheet(join(site, addressOf('src/site/styles/site.css'))) },
    digests: { [boot]: digestOf('sha384', readFileSync(join(site, boot))) },
    fonts: [fontNamed('instrument-sans.woff2'), fontNamed('geist-mono.woff2')],
    chunks: { ...chunks, ...Object.fromEntries(pages) },
    colour: siteColour(),
  };
}

/** The sheet is part of every page: it costs no round trip of its own, and its file is for nobody. */
function takeSheet(file: string): string {
  const sheet = readFileSync(file, 'utf8').trim();
  if (sheet.includes('</')) throw new Error('The style sheet would end early within a page');
  rmSync(dirname(file), { recursive: true });
  return sheet;
}

/** By which the policy knows the sheet that stands in the pages. */
export function digestOfStyles({ styles }: Assets): string {
  if (!('sheet' in styles)) throw new Error('A style sheet with an address is not part of a page');
  return digestOf('sha256', styles.sheet);
}

function digestOf(algorithm: 'sha256' | 'sha384', content: string | Buffer): string {
  return `${algorithm}-${createHash(algorithm).update(content).digest('base64')}`;
}

/** The chunks that every other one builds on: React with what the pages share, and the bundler's own few lines. */
function common(manifest: Manifest): Record<'shared' | 'runtime', string> {
  const named = (name: string) => {
    const chunk = Object.values(manifest).find(candidate => candidate.name === name);
    if (!chunk) throw new Error(`The build made no ${name} chunk`);
    return `/${chunk.file}`;
  };
  return { shared: named('shared'), runtime: named('rolldown-runtime') };
}

/** A page's chunk is fetched again under a changed address after a failure; a chunk it imports would not be. */
function assertPagesStandAlone(manifest: Manifest): void {
  for (const [source, chunk] of Object.entries(manifest)) {
    const names = (chunk.imports ?? []).map(key => manifest[key]?.name ?? key);
    const others = names.filter(name => name !== 'shared' && name !== 'rolldown-runtime');
    if (others.length > 0)
      throw new Error(`${source} imports ${others.join(', ')}; it may import the shared chunk only`);
  }
}
