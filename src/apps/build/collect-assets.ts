import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Manifest } from 'vite';
import { oklchToHex } from '../../core/content/brand/colours.ts';
import type { Brand } from '../../core/content/schemas/brand.ts';
import type { stylesDigest } from '../../ui/chunks.ts';
import type { Assets, PageStyles } from './html-document.ts';
import { siteColour } from './seo/open-graph-images.ts';
import type { BuiltPage } from './site-parts.ts';
import { splitStyles } from './styles/split-styles.ts';
import { pageChunksPlaceholder } from './vite-config.ts';

export type BuiltAssets = Assets & { styles: PageStyles };

export function collectAssets(site: string, sitePages: BuiltPage[], brand: Brand): BuiltAssets {
  const file = join(site, 'manifest.json');
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  const findAssetPath = (name: string) => {
    const chunks = Object.values(manifest);
    const chunk = manifest[name] ?? chunks.find(one => one.name === name || one.src?.endsWith(`/${name}`));
    if (!chunk) throw new Error(`The build made no ${name}`);
    return `/${chunk.file}`;
  };
  const pages = Object.fromEntries(sitePages.map(({ name, file }) => [name, findAssetPath(file)]));
  assertPagesStandAlone(manifest);
  const boot = findAssetPath('src/ui/boot.ts');
  const { full, ...styles } = collectStyles(site, findAssetPath('src/ui/styles/site.css'));
  const digest = (path: string) => integrityDigest(readFileSync(join(site, path)));
  const known = {
    ...Object.fromEntries(
      sitePages.filter(page => !page.document).map(({ name }) => [name, pages[name] ?? '']),
    ),
    ['styles digest' satisfies typeof stylesDigest]: digest(full),
  };
  const main = fillMain(site, findAssetPath('src/ui/main.tsx'), known);
  return {
    boot,
    styles,
    digests: { [boot]: digest(boot), [styles.printAndContrast]: digest(styles.printAndContrast) },
    font: findAssetPath(brand.fontFiles.text[0]?.name ?? ''),
    chunks: {
      main,
      shared: findAssetPath('shared'),
      runtime: findAssetPath('rolldown-runtime'),
      styles: full,
    },
    pages,
    colour: siteColour(brand),
  };
}

function fillMain(site: string, path: string, known: Record<string, string>): string {
  const script = readFileSync(join(site, path), 'utf8');
  const filled = script.replace(new RegExp(`(["'\`])${pageChunksPlaceholder}\\1`), () =>
    JSON.stringify(known),
  );
  if (filled === script) throw new Error(`${path} has no place for the pages' addresses`);
  rmSync(join(site, path));
  return writeHashed(site, `${dirname(path)}/main.js`, filled);
}

function writeHashed(site: string, path: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8);
  const hashed = path.replace(/\.\w+$/, ending => `-${hash}${ending}`);
  writeFileSync(join(site, hashed), content);
  return hashed;
}

function collectStyles(site: string, path: string): PageStyles & { full: string } {
  const css = readFileSync(join(site, path), 'utf8').trim();
  if (css.includes('</')) throw new Error('The style sheet would end early within a page');
  rmSync(join(site, path));
  const { screen, printAndContrast, full } = splitStyles(
    css.replaceAll(/oklch\([\d.% ]+\)/g, value => oklchToHex(value) ?? value),
  );
  const write = (name: string, part: string) => writeHashed(site, `${dirname(path)}/${name}.css`, part);
  return {
    css: screen,
    printAndContrast: write('print-and-contrast', printAndContrast),
    full: write('site', full),
  };
}

export function integrityDigest(content: string | Buffer): string {
  return `sha256-${createHash('sha256').update(content).digest('base64')}`;
}

/** A page's chunk is retried under a changed address after a failure; a chunk that it imports would not be. */
function assertPagesStandAlone(manifest: Manifest): void {
  for (const [source, chunk] of Object.entries(manifest)) {
    const names = (chunk.imports ?? []).map(key => manifest[key]?.name ?? key);
    const others = names.filter(name => name !== 'shared' && name !== 'rolldown-runtime');
    if (others.length > 0)
      throw new Error(`${source} imports ${others.join(', ')}; it may import the shared chunk only`);
  }
}
