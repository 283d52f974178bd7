import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { visitSite } from '../harness/page.ts';
import { paths } from '../harness/site-paths.ts';

const visit = visitSite();
const margin = 14 * (72 / 25.4);

test('the sample report is a tagged PDF on A4, in which each page but the last is at least half full', async () => {
  await visit.open(paths.sample);
  const pdf = await visit.page.pdf({ preferCSSPageSize: true, format: 'A4', tagged: true });
  const source = pdf.toString('latin1');
  for (const part of ['/Lang (en-GB)', '/Marked true', '/S /H1', '/S /H2', '/S /Table', '/S /TH'])
    expect(source).toContain(part);
  const pages = readPages(source);
  expect(pages.length).toBeGreaterThan(3);
  for (const { height, lowest } of pages.slice(0, -1)) expect(lowest / height).toBeLessThan(0.5);
});

test('the button prints at once, and is not there without JavaScript', async () => {
  await visit.page.addInitScript('window.print = () => { document.title = "printed"; }');
  await visit.open(paths.sample);
  await visit.page.locator('[data-print]').click();
  expect(await visit.page.title()).toBe('printed');
  const plain = await visit.newPage({ javaScriptEnabled: false });
  await plain.goto(paths.sample);
  expect(await plain.locator('[data-print]').isVisible()).toBe(false);
});

type PrintedPage = {
  height: number /** The lowest text above the margin, from the lower edge. */;
  lowest: number;
};

function readPages(source: string): PrintedPage[] {
  const streams = new Map(
    Array.from(source.matchAll(/(\d+) 0 obj\n<<[^>]*\/Length (\d+)[^>]*>> stream\n/g), match => {
      const start = match.index + match[0].length;
      return [match[1], Buffer.from(source.slice(start, start + Number(match[2])), 'latin1')];
    }),
  );
  return Array.from(
    source.matchAll(/\/Type \/Page\n.*?\/MediaBox \[0 0 \S+ (\S+)\].*?\/Contents (\d+)/gs),
    match => {
      const content = inflateSync(streams.get(match[2] ?? '') ?? Buffer.alloc(0)).toString('latin1');
      const lines = findTexts(content).filter(y => y > margin);
      return { height: Number(match[1]), lowest: Math.min(...lines) };
    },
  );
}

/** How far each text is from the lower edge: only the vertical part of the transformations counts. */
function findTexts(content: string): number[] {
  const texts: number[] = [];
  const outer: { scale: number; offset: number }[] = [];
  let current = { scale: 1, offset: 0 };
  for (const [line] of content.matchAll(/^(?:q|Q|.* (?:cm|Tm))$/gm)) {
    const [scale = 1, , offset = 0] = line.split(' ').slice(3, 6).map(Number);
    const moved = { scale: current.scale * scale, offset: current.scale * offset + current.offset };
    if (line === 'q') outer.push(current);
    else if (line === 'Q') current = outer.pop() ?? current;
    else if (line.endsWith('cm')) current = moved;
    else texts.push(moved.offset);
  }
  return texts;
}
