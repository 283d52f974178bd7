import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compareSections, findWorse } from '../bench/compare.ts';
import {
  type Figure,
  nameCommand,
  type Places,
  readSections,
  renderAll,
  type SectionName,
  places as shipped,
  writeFigures,
  writePages,
} from '../bench/figures.ts';
import { shown } from '../bench/figures-page.ts';

let folder: string;
let places: Places;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'figures-'));
  const place = (name: string) => join(folder, name);
  places = {
    ...{ data: place('data'), page: place('figures.md') },
    ...{ readme: place('README.md'), scale: place('scale.md') },
  };
  for (const name of ['readme', 'scale'] as const) writeFileSync(places[name], readFileSync(shipped[name]));
});
afterEach(() => rmSync(folder, { recursive: true }));

function figure(values: number[], about: Partial<Figure> = {}): Figure {
  return { name: 'p99', unit: 'ms', values, better: 'lower', ...about };
}

function keep(name: SectionName, figures: Figure[], command = 'npm run bench', report = ''): void {
  writeFigures(name, command, { figures, report }, places);
}

describe('what is published', () => {
  test('is what the kept data say, in docs/figures.md, README and docs/engineer/scale.md, and not by hand', () => {
    for (const [file, text] of renderAll()) expect(readFileSync(file, 'utf8'), file).toBe(text);
    expect(readFileSync(shipped.readme, 'utf8').split('\n').length).toBeLessThanOrEqual(90);
  });

  test('is in README for each of the five figures that it shows', () => {
    const sections = readSections();
    const measured = shown.filter(({ section }) => sections.some(({ name }) => name === section));
    for (const { words } of measured) expect(readFileSync(shipped.readme, 'utf8')).toContain(`| ${words} |`);
    expect(shown).toHaveLength(5);
  });

  test('names neither a machine nor a place on it', () => {
    for (const { name, runs } of readSections()) {
      expect(JSON.stringify(runs), name).not.toMatch(/\/(home|root|tmp|work|Users|private|mnt|srv|var)\//);
      for (const { machine } of runs) {
        expect(machine).toMatch(/^\d+ × [^,]+, \d+ GB, \w+ \d+(\.\d+)?, Node [\d.]+$/);
        expect(machine.split(/[\s,]+/)).not.toContain(hostname());
      }
    }
  });
});

describe('the page of figures', () => {
  test('has sections with machine, commit, day, command and result, and the newest run alone', () => {
    keep('serve', [figure([9])], 'npm run bench -- serve', 'old');
    keep('serve', [figure([3, 1, 2])], 'npm run bench -- serve --runs 3', 'a\n\nb');
    const [, serve = ''] = readFileSync(places.page, 'utf8').split(/^## /m);
    expect(serve).toMatch(
      /^Serve\n\n {4}npm run bench -- serve --runs 3\n\n\d{4}-\d\d-\d\d, commit \w+.*, on \d+ × .+ Node [\d.]+\.\n\n/,
    );
    expect(serve).toContain('| p99 | 2 ms | 1 – 3 |  |\n\n    a\n\n    b\n');
    expect(serve).not.toContain('old');
  });

  test('has its sections in one order, whichever was measured first, and loses what was written by hand', () => {
    for (const name of ['pages', 'serve', 'growth', 'serve'] as const) keep(name, [figure([1])]);
    writeFileSync(places.page, `${readFileSync(places.page, 'utf8')}\n## By hand\n`);
    writePages(places);
    expect(readFileSync(places.page, 'utf8').match(/^## .*/gm)).toEqual([
      '## Serve',
      '## Growth',
      '## Pages on a phone',
    ]);
    expect(readSections(places).map(({ title, runs }) => [title, runs.length])).toEqual([
      ['Serve', 2],
      ['Growth', 1],
      ['Pages on a phone', 1],
    ]);
  });

  test('gives README its figures, with the worst where they differ, and leaves its other words alone', () => {
    keep('intake', [figure([5306.4], { name: 'durable posts a second', unit: '', better: 'higher' })]);
    keep('observatory', [figure([130, 135, 135], { name: 'score of all pages', unit: '', goal: '135' })]);
    const [before, block = '', after] = readFileSync(places.readme, 'utf8').split(/<!-- .*figures.* -->\n/);
    expect(block.split('\n').slice(2, -1)).toEqual([
      '| messages a second that one process stores durably | 5,306 |  |',
      "| every page in Mozilla's Observatory | 135 (130 – 135) | 135 |",
    ]);
    const readme = readFileSync(shipped.readme, 'utf8');
    expect([readme.startsWith(before as string), readme.endsWith(after as string)]).toEqual([true, true]);
  });

  test('gives scale.md a row for each setup, and from which number of processes PostgreSQL is the limit', () => {
    const measured = { 'durable posts a second': 2000, 'CPU of servers per message': 300 };
    const ofPostgres = { ...measured, 'CPU of PostgreSQL per message': 120 };
    const figures = [
      ...Object.entries(measured).map(([name, value]) =>
        figure([value], { name: `SQLite, 1: ${name}`, unit: '' }),
      ),
      ...Object.entries(ofPostgres).map(([name, value]) =>
        figure([value], { name: `PostgreSQL, 2: ${name}`, unit: '' }),
      ),
    ];
    keep('scale', figures);
    const text = readFileSync(places.scale, 'utf8');
    expect(text).toContain(
      '\n| SQLite, 1 | 2,000 |  | 300 |  |  |\n| PostgreSQL, 2 | 2,000 |  | 300 | 120 |  |\n',
    );
    expect(text).toContain('\n| 1 | 3 | 8,333 |\n| 2 | 5 | 16,667 |\n');
  });

  test('tells a command as it was typed, but for where to write', () => {
    const given = [
      '--only',
      'kill: at once',
      '--figures',
      '--json',
      '/tmp/x.json',
      '--out=/tmp/y',
      '--jobs',
      '1',
    ];
    expect(nameCommand('npm run x', given)).toBe("npm run x -- --only 'kill: at once' --jobs 1");
    expect(nameCommand('npm run x', ['--figures'])).toBe('npm run x');
  });
});

describe('a figure got worse', () => {
  function worseOf(earlier: Figure, later: Figure, commands = ['one', 'one']): string[] | undefined {
    for (const [at, one] of [earlier, later].entries()) keep('serve', [one], commands[at] as string);
    const [section] = readSections(places);
    return section && findWorse(section)?.worse;
  }

  test('when its range lies beyond what it was', () => {
    expect(worseOf(figure([10, 11, 12]), figure([14, 15, 16]))).toEqual([
      expect.stringMatching(/^p99 was 11 ms \(.+\), is 15 ms$/),
    ]);
    expect(compareSections(readSections(places))).toEqual({
      worse: 1,
      lines: [expect.stringMatching(/^Serve: p99 was /), '1 figure got worse by more than the noise'],
    });
  });

  test.each([
    ['when ranges overlap', figure([10, 11, 15]), figure([14, 15, 16])],
    ['when it got better', figure([14, 15, 16]), figure([10, 11, 12])],
    ['by a tenth of what was measured once', figure([100]), figure([110])],
    ['when a count without a goal is one less', figure([100], { unit: '' }), figure([101], { unit: '' })],
    [
      'when it is nearer to 0',
      figure([-9, -7, -5], { better: 'zero' }),
      figure([1, 2, 3], { better: 'zero' }),
    ],
  ])('not %s', (_, earlier, later) => expect(worseOf(earlier, later)).toEqual([]));

  test.each([
    ['when less is worse', figure([100, 101], { better: 'higher' }), figure([80, 81], { better: 'higher' })],
    ['when one more was lost', figure([0], { unit: '', goal: '0' }), figure([1], { unit: '', goal: '0' })],
    ['when it is off 0', figure([-2, 0, 1], { better: 'zero' }), figure([-9, -7, -5], { better: 'zero' })],
  ])('%s', (_, earlier, later) => expect(worseOf(earlier, later)).toHaveLength(1));

  test('is not said of another command, and that is said', () => {
    expect(worseOf(figure([10]), figure([20]), ['one', 'other'])).toBeUndefined();
    expect(compareSections(readSections(places)).lines).toEqual([
      'Serve: not compared, no earlier run of this command on this machine',
      'No figures got worse by more than the noise',
    ]);
  });
});
