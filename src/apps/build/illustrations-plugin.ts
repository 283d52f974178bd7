import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { onChange, reloadPages } from './reload-pages.ts';

const moduleId = 'illustrations:sprite';
const layers = ['lines', 'glow', 'signals'];

export function illustrationsPlugin(folder: string): Plugin {
  return {
    name: 'illustrations',
    resolveId: id => (id === moduleId ? `\0${moduleId}` : undefined),
    load(id) {
      if (id !== `\0${moduleId}`) return undefined;
      const { spriteUrl, viewBoxes } = readSprite(folder);
      return `export const spriteUrl = ${JSON.stringify(spriteUrl)}; export const viewBoxes = ${JSON.stringify(viewBoxes)};`;
    },
    generateBundle() {
      if (this.environment.name !== 'client') return;
      const { spriteUrl, source } = readSprite(folder);
      this.emitFile({ type: 'asset', fileName: spriteUrl.slice(1), source });
    },
    configureServer(server) {
      onChange(server, folder, () => reloadPages(server, id => id === `\0${moduleId}`));
      server.middlewares.use((request, response, next) => {
        const { spriteUrl, source } = readSprite(folder);
        if (request.url !== spriteUrl) return next();
        response.setHeader('content-type', 'image/svg+xml');
        response.end(source);
      });
    },
  };
}

export function readSprite(folder: string) {
  const files = readdirSync(folder).filter(file => file.endsWith('.svg'));
  const viewBoxes: Record<string, string> = {};
  const drawings = files.sort().map(file => {
    const name = basename(file, '.svg');
    const { box, parts } = readIllustration(readFileSync(join(folder, file), 'utf8'), file);
    viewBoxes[name] = box;
    const groups = parts.map(
      (part, index) => `<g id="${name}-${layers[index]}" ${strokeAttributes}>${part}</g>`,
    );
    return `<g id="${name}">${groups.join('')}</g>`;
  });
  const source = `<svg xmlns="http://www.w3.org/2000/svg">${drawings.join('')}</svg>\n`;
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  return { spriteUrl: `/static/svg/illustrations-${hash}.svg`, viewBoxes, source };
}

const strokeAttributes =
  'fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"';

function readIllustration(text: string, file: string): { box: string; parts: string[] } {
  const box = /<svg\b[^>]*\bviewBox="([\d. -]+)"/.exec(text)?.[1];
  const groups =
    /<g id="lines">(.*)<\/g>\s*<g id="glow">(.*)<\/g>\s*<g id="signals">(.*)<\/g>\s*<\/svg>/s.exec(text);
  if (!box || !groups)
    throw new Error(
      `src/ui/illustrations/${file} needs a viewBox and the groups ${layers.join(', ')}, in this order`,
    );
  return {
    box,
    parts: groups.slice(1).map(part =>
      part
        .replace(/<!--.*?-->/gs, '')
        // The fallback is for programs that show the file by itself.
        .replaceAll(/var\((--\w+),[^)]*\)/g, 'var($1)')
        .replace(/>\s+</g, '><')
        .trim(),
    ),
  };
}
