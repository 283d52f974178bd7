import { expect } from 'vitest';

export type ReadMetrics = {
  /** By its whole name: `requests_total{kind="page"}`. */
  samples: Map<string, number>;
  /** The labels of each sample, in their order. */
  labels: Record<string, string>[];
  families: Map<string, string>;
};

const sampleLine = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/s;
const labelPair = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/y;

/**
 * Reads the text format of Prometheus, and fails at whatever breaks its rules: a family in two places, a sample without
 * one, a line that is none, the same sample twice, a bucket that counts less than the one below it.
 */
export function readMetrics(text: string): ReadMetrics {
  const read: ReadMetrics = { samples: new Map(), labels: [], families: new Map() };
  let family = '';
  expect(text === '' || text.endsWith('\n')).toBe(true);
  for (const line of text.split('\n').slice(0, -1)) {
    const [, word, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/s.exec(line) ?? [];
    if (word === 'HELP') {
      expect(read.families.has(name), `${name} comes twice`).toBe(false);
      family = name;
    } else if (word === 'TYPE') {
      expect(name).toBe(family);
      expect(['counter', 'gauge', 'histogram']).toContain(rest);
      read.families.set(name, rest);
    } else readSample(line, family, read);
  }
  for (const [name, type] of read.families) if (type === 'histogram') checkHistogram(name, read);
  return read;
}

function readSample(line: string, family: string, read: ReadMetrics): void {
  const [, name = '', pairs, number = ''] = sampleLine.exec(line) ?? [];
  expect(name, `no sample: ${line}`).not.toBe('');
  const type = read.families.get(family);
  expect(type === 'histogram' ? name.replace(/_(bucket|sum|count)$/, '') : name).toBe(family);
  const key = pairs === undefined ? name : `${name}{${pairs}}`;
  expect(read.samples.has(key), `${key} comes twice`).toBe(false);
  const value = readNumber(number);
  if (type === 'counter') expect(value).toBeGreaterThanOrEqual(0);
  read.samples.set(key, value);
  read.labels.push(pairs === undefined ? {} : readLabels(pairs));
}

function readLabels(pairs: string): Record<string, string> {
  const labels: Record<string, string> = {};
  labelPair.lastIndex = 0;
  let end = 0;
  for (let pair = labelPair.exec(pairs); pair; pair = labelPair.exec(pairs)) {
    const [, name = '', value = ''] = pair;
    expect(labels).not.toHaveProperty([name]);
    labels[name] = value.replace(/\\(.)/g, (_, letter) => (letter === 'n' ? '\n' : letter));
    end = labelPair.lastIndex;
  }
  expect(end, `no labels: ${pairs}`).toBe(pairs.length);
  return labels;
}

function readNumber(text: string): number {
  const special: Record<string, number> = { '+Inf': Infinity, '-Inf': -Infinity, NaN };
  const value = special[text] ?? Number(text);
  expect(Number.isNaN(value) && text !== 'NaN', `no number: ${text}`).toBe(false);
  return value;
}

function checkHistogram(name: string, { samples }: ReadMetrics): void {
  let before: { of: string; count: number } | undefined;
  for (const [key, count] of samples) {
    if (!key.startsWith(`${name}_bucket{`)) continue;
    const of = key.replace(/,?le="[^"]*"/, '');
    if (before?.of === of) expect(count).toBeGreaterThanOrEqual(before.count);
    before = { of, count };
    if (!key.includes('le="+Inf"')) continue;
    const whole = of.replace(`${name}_bucket`, `${name}_count`).replace('{}', '');
    expect(samples.get(whole)).toBe(count);
  }
}
