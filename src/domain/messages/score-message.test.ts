import { describe, expect, test } from 'vitest';
import { measureCpuMs } from '../../../tests/harness/cpu-time.ts';
import {
  quarantineThreshold,
  type SpamSignal,
  type SubmissionSignals,
  scoreMessage,
  signals,
  weights,
} from './score-message.ts';

const quiet: SubmissionSignals = { honeypot: '', formAgeMs: 60_000, repeats: 0, isFlood: false };
const fields = { name: 'Zoë', email: 'zoe@example.com', message: 'Please call me.', service: 'audit' };

const scored = (about: Partial<typeof fields & SubmissionSignals>) =>
  scoreMessage({ ...fields, ...about }, { ...quiet, ...about }).reasons;

test('an ordinary message causes no signal', () => {
  expect(scoreMessage(fields, quiet)).toEqual({ score: 0, reasons: [] });
});

test('unknown values are no signal', () => {
  expect(scored({ formAgeMs: undefined, repeats: undefined })).toEqual([]);
});

test('signals are named in the order of the table, and add up', () => {
  const all = {
    honeypot: '[url=x]',
    formAgeMs: 1,
    message: 'a.example b.example c.example [url=x]',
    repeats: 9,
  };
  const { score, reasons } = scoreMessage({ ...fields, ...all }, { ...quiet, ...all });
  expect(reasons).toEqual(['honeypot', 'honeypot text', 'fast', 'links', 'markup', 'many repeats']);
  expect(score).toBe(22);
});

test.each([' ', '\t\n'])('a honeypot that contains %j counts as empty', honeypot =>
  expect(scored({ honeypot })).toEqual([]),
);

test.each([
  'Zoë Müller',
  'Müller & Söhne GmbH',
  'Flat 12, Wellington House, 123 Long Meadow Road, Newcastle upon Tyne, NE1 4ST, United Kingdom',
])('%j in the honeypot was filled in by a program, and not written', honeypot =>
  expect(scored({ honeypot })).toEqual(['honeypot']),
);

test.each(['https://pills.example', '<a href="x">y</a>', 'x'.repeat(121), ` ${fields.message}\n`])(
  '%j in the honeypot was written by a robot',
  honeypot => expect(scored({ honeypot })).toEqual(['honeypot', 'honeypot text']),
);

test.each<[number, SpamSignal[]]>([
  [1999, ['fast']],
  [2000, []],
])('a form that stood open for %d ms is %j', (formAgeMs, reasons) =>
  expect(scored({ formAgeMs: formAgeMs })).toEqual(reasons),
);

test.each<[number, SpamSignal[]]>([
  [1, []],
  [2, ['repeats']],
  [9, ['many repeats']],
  [49, ['campaign']],
])('the same words after %d times are %j', (repeats, reasons) =>
  expect(scored({ repeats })).toEqual(reasons),
);

test.each([
  'http://a.example/1 http://b.example/2 http://c.example/3',
  'a.example, b.example.org and www.c.example/path?x=1',
  'Cheap: HTTPS://A.EXAMPLE/very/long HTTPS://B.EXAMPLE/very/long HTTPS://C.EXAMPLE/very/long',
])('%j is mostly links', message => expect(scored({ message, name: '', service: '' })).toEqual(['links']));

test.each([
  'http://a.example/1 http://b.example/2',
  `a.example b.example c.example${' and much besides'.repeat(5)}`,
  'zoe@a.example, max@b.example and kim.lee@c.example can tell you more',
  'We use node 26.1, e.g. for 1.5 or 2.25 of them... and so on. So what.',
  '请检查 http://a.example 和 http://b.example 以及 http://c.example，这些网站最近经常无法访问，我们的客户已经多次投诉，非常着急，希望尽快得到你们的帮助，谢谢你们的支持与理解，期待回复',
])('%j is not mostly links', message => expect(scored({ message })).toEqual([]));

test('links in the name count like those in the message', () => {
  const name = 'http://a.example/1 http://b.example/2 http://c.example/3';
  expect(scored({ name })).toEqual(['links']);
});

test.each(['<a href=x>y</a>', '<A class="b"\n HREF=x>', '[url=x]y[/url]', '[URL]x[/URL]', '[link=x]'])(
  '%j is forum markup',
  message => expect(scored({ message })).toEqual(['markup']),
);

test.each(['<script>alert(1)</script>', '<abbr href=x>', '[urls]', 'a < b, <a > href', '[docs](x)'])(
  '%j is not forum markup',
  message => expect(scored({ message })).toEqual([]),
);

describe('what legitimate senders cause', () => {
  const reaches = (...names: SpamSignal[]) =>
    names.reduce((sum, name) => sum + weights[name], 0) >= quarantineThreshold;
  /** A single sender causes no flood and no campaign, and autofill writes nothing that only bots write. */
  const legitimate: SpamSignal[] = ['honeypot', 'fast', 'links', 'markup', 'repeats', 'many repeats'];

  test('is not quarantined for one signal, nor for two', () => {
    const pairs = legitimate.flatMap(one => legitimate.map(other => [...new Set([one, other])]));
    expect(pairs.filter(pair => reaches(...pair))).toEqual([]);
  });

  test('is not quarantined during a flood, unless there is another signal', () => {
    expect(reaches('flood')).toBe(false);
    const others = signals.filter(name => name !== 'flood');
    expect(others.filter(name => !reaches('flood', name))).toEqual([]);
  });

  test('weighs more in a campaign, where one more signal is enough', () => {
    expect(reaches('campaign')).toBe(false);
    for (const name of ['honeypot', 'links', 'markup'] as const) expect(reaches('campaign', name)).toBe(true);
  });
});

test.each([
  'a-'.repeat(32_000),
  `<a ${' '.repeat(64_000)}`,
  'www.'.repeat(16_000),
  ' a.example'.repeat(6500),
  '\ufdfa'.repeat(21_000),
])('no text takes long to judge (%#)', message => {
  const judge = () => scoreMessage({ ...fields, message }, { ...quiet, honeypot: message });
  expect(measureCpuMs(judge)).toBeLessThan(250);
});
