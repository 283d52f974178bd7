import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSprite } from './illustrations-plugin.ts';
import { siteFolder } from './vite-config.ts';

const folder = mkdtempSync(join(tmpdir(), 'art-'));
afterAll(() => rmSync(folder, { recursive: true }));

function draw(groups: string[]): void {
  const inner = groups.map(id => `<g id="${id}">\n <g opacity=".5"><path d="M0 0h1"/></g>\n</g>`).join('\n');
  writeFileSync(join(folder, 'moon.svg'), `<svg viewBox="0 0 10 20">\n${inner}\n</svg>\n`);
}

test('every picture becomes three symbols of its own box, and the address follows what is drawn', () => {
  draw(['lines', 'glow', 'signals']);
  const first = readSprite(folder);
  expect(first.boxes).toEqual({ moon: '0 0 10 20' });
  for (const layer of ['lines', 'glow', 'signals'])
    expect(first.source).toContain(`<symbol id="moon-${layer}" viewBox="0 0 10 20"`);
  expect(first.source.match(/<g opacity=".5"><path d="M0 0h1"\/><\/g><\/symbol>/g)).toHaveLength(3);
  writeFileSync(
    join(folder, 'sun.svg'),
    '<svg viewBox="0 0 1 1"><g id="lines"></g><g id="glow"></g><g id="signals"></g></svg>',
  );
  expect(readSprite(folder).address).not.toBe(first.address);
  rmSync(join(folder, 'sun.svg'));
});

test('a picture that is drawn otherwise is named', () => {
  draw(['glow', 'lines', 'signals']);
  expect(() => readSprite(folder)).toThrow(
    'src/site/illustrations/moon.svg needs a viewBox and the groups lines, glow, signals, in this order',
  );
});

test('our own pictures are drawn with one pen and hold nothing that a policy would block', () => {
  const { source, boxes } = readSprite(join(siteFolder, 'illustrations'));
  expect(Object.keys(boxes).length).toBeGreaterThanOrEqual(9);
  expect(source.replaceAll(/<symbol[^>]*>/g, '')).not.toMatch(
    /stroke-width|style=|<style|<script|<image|href=|on\w+=/,
  );
});
