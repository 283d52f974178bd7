import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from 'vite';
import type { stylesDigest } from '../site/chunks.ts';
import type { Assets, PageStyles } from './document.ts';
import { siteColour } from './found/pictures.ts';
import type { PageList } from './page-list.ts';
import { putConstants } from './styles/put-constants.ts';
import { splitStyles } from './styles/split-styles.ts';
import { shortenColours } from './theme.ts';
import { pageChunksMark } from './vite-config.ts';

/** With the sheet not yet cut to a page. */
export type BuiltAssets = Assets & { styles: PageStyles };
type BuiltStyles = PageStyles & {
  /** What React needs for every page that it may show. */
  whole: string;
};

/** The hashed names that the pages must know, from Vite's manifest, which visitors have no use for. */
export function takeAssets(site: string, { names }: PageList): BuiltAssets {
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
  const pages = Object.fromEntries(names.map(name => [name, addressOf(`src/site/pages/${name}.tsx`)]));
  assertPagesStandAlone(manifest);
  const boot = addressOf('src/site/boot.ts');
  const { whole, ...styles } = takeStyles(site, addressOf('src/site/styles/site.css'));
  const digest = (address: string) => digestOf(readFileSync(join(site, address)));
  const known = { ...pages, ['styles digest' satisfies typeof stylesDigest]: digest(whole) };
  const main = fillMain(site, addressOf('src/site/main.tsx'), known);
  return {
    boot,
    styles,
    digests: { [boot]: digest(boot), [styles.special]: digest(styles.special) },
    fonts: [fontNamed('instrument-sans.woff2'), fontNamed('geist-mono.woff2')],
    chunks: { main, ...common(manifest), styles: whole },
    pages,
    colour: siteColour(),
  };
}

/** Puts what all pages would have to say into React's own chunk: the addresses of the others, and a digest. */
function fillMain(site: string, address: string, known: Record<string, string>): string {
  const script = readFileSync(join(site, address), 'utf8');
  const filled = script.replace(new RegExp(`(["'\`])${pageChunksMark}\\1`), () =>
    JSON.stringify(JSON.stringify(known)),
  );
  if (filled === script) throw new Error(`${address} has no place for the pages' addresses`);
  rmSync(join(site, address));
  return writeHashed(site, `${dirname(address)}/main.js`, filled);
}

/** Writes a file under a name that changes with it. */
function writeHashed(site: string, address: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const hashed = address.replace(/\.\w+$/, ending => `-${hash}${ending}`);
  writeFileSync(join(site, hashed), content);
  return hashed;
}

/** The sheet as its parts; the file that it came in is for nobody. */
function takeStyles(site: string, address: string): BuiltStyles {
  const sheet = readFileSync(join(site, address), 'utf8').trim();
  if (sheet.includes('</')) throw new Error('The style sheet would end early within a page');
  rmSync(join(site, address));
  const { first, special, whole } = splitStyles(putConstants(shortenColours(sheet)));
  const write = (name: string, part: string) => writeHashed(site, `${dirname(address)}/${name}.css`, part);
  return { sheet: first, special: write('special', special), whole: write('site', whole) };
}

/** By which a policy knows the sheet that stands in a page. */
export function digestOfStyles(sheet: string): string {
  return digestOf(sheet);
}

function digestOf(content: string | Buffer): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
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
