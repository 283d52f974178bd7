import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSprite } from './illustrations-plugin.ts';
import { siteFolder } from './vite-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'illustrations-'));
afterAll(() => rmSync(folder, { recursive: true }));

function draw(groups: string[]): void {
  const inner = groups.map(id => `<g id="${id}">\n <g opacity=".5"><path d="M0 0h1"/></g>\n</g>`).join('\n');
  writeFileSync(join(folder, 'moon.svg'), `<svg viewBox="0 0 10 20">\n${inner}\n</svg>\n`);
}

test('every illustration becomes three symbols with its own viewBox, and the URL changes with the content', () => {
  draw(['lines', 'glow', 'signals']);
  const first = readSprite(folder);
  expect(first.viewBoxes).toEqual({ moon: '0 0 10 20' });
  for (const layer of ['lines', 'glow', 'signals'])
    expect(first.source).toContain(`<symbol id="moon-${layer}" viewBox="0 0 10 20"`);
  expect(first.source.match(/<g opacity=".5"><path d="M0 0h1"\/><\/g><\/symbol>/g)).toHaveLength(3);
  writeFileSync(
    join(folder, 'sun.svg'),
    '<svg viewBox="0 0 1 1"><g id="lines"></g><g id="glow"></g><g id="signals"></g></svg>',
  );
  expect(readSprite(folder).spriteUrl).not.toBe(first.spriteUrl);
  rmSync(join(folder, 'sun.svg'));
});

test('an illustration with other groups is refused by name', () => {
  draw(['glow', 'lines', 'signals']);
  expect(() => readSprite(folder)).toThrow(
    'src/site/illustrations/moon.svg needs a viewBox and the groups lines, glow, signals, in this order',
  );
});

test('our own illustrations use one stroke and contain nothing that the CSP would block', () => {
  const { source, viewBoxes } = readSprite(join(siteFolder, 'illustrations'));
  expect(Object.keys(viewBoxes).length).toBeGreaterThanOrEqual(9);
  expect(source.replaceAll(/<symbol[^>]*>/g, '')).not.toMatch(
    /stroke-width|style=|<style|<script|<image|href=|on\w+=/,
  );
});
