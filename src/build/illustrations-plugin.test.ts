import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../tests/harness/temp-folder.ts';
import { readSprite } from './illustrations-plugin.ts';
import { siteFolder } from './vite-config.ts';

const layers = ['lines', 'glow', 'signals'];

function draw(groups: string[], size = '10 20'): string {
  const folder = createTempFolder();
  const inner = groups.map(id => `<g id="${id}">\n <g opacity=".5"><path d="M0 0h1"/></g>\n</g>`).join('\n');
  writeFileSync(join(folder, 'moon.svg'), `<svg viewBox="0 0 ${size}">\n${inner}\n</svg>\n`);
  return folder;
}

test('every illustration becomes three symbols with its own viewBox, and the URL changes with the content', () => {
  const first = readSprite(draw(layers));
  expect(first.viewBoxes).toEqual({ moon: '0 0 10 20' });
  for (const layer of layers)
    expect(first.source).toContain(`<symbol id="moon-${layer}" viewBox="0 0 10 20"`);
  expect(first.source.match(/<g opacity=".5"><path d="M0 0h1"\/><\/g><\/symbol>/g)).toHaveLength(3);
  expect(readSprite(draw(layers, '20 20')).spriteUrl).not.toBe(first.spriteUrl);
});

test('an illustration with other groups is refused by name', () => {
  const folder = draw(['glow', 'lines', 'signals']);
  expect(() => readSprite(folder)).toThrow(
    'src/site/illustrations/moon.svg needs a viewBox and the groups lines, glow, signals, in this order',
  );
});

test('our own illustrations use one stroke and contain nothing that the CSP would block', () => {
  const { source } = readSprite(join(siteFolder, 'illustrations'));
  expect(source.replaceAll(/<symbol[^>]*>/g, '')).not.toMatch(
    /stroke-width|style=|<style|<script|<image|href=|on\w+=/,
  );
});
