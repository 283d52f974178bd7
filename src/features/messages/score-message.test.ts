import { describe, expect, test } from 'vitest';
import { mapMessageFields } from './message-fields.ts';
import {
  normalizeForRepeats,
  quarantineThreshold,
  type SpamSignal,
  type SubmissionSignals,
  scoreMessage,
  signals,
  weights,
} from './score-message.ts';

const quiet: SubmissionSignals = { honeypot: '', formAgeMs: 60_000, repeats: 0, isFlood: false };
const fields = {
  ...mapMessageFields(() => ''),
  name: 'Zoë',
  email: 'zoe@example.com',
  message: 'Please call me.',
  service: 'audit',
};
const threeLinks = 'http://a.example/1 http://b.example/2 http://c.example/3';

const bot = { honeypot: '[url=x]', message: '[url=x]' };
type About = Partial<typeof fields & SubmissionSignals>;
const filled = (...texts: string[]): About[] => texts.map(honeypot => ({ honeypot }));
const says = (...texts: string[]): About[] => texts.map(message => ({ message }));

test.each<[what: string, SpamSignal[], About[]]>([
  ['ordinary', [], [{}, { formAgeMs: 2000 }, { repeats: 1 }, { formAgeMs: undefined, repeats: undefined }]],
  ['an empty honeypot', [], filled('', '\t\n')],
  [
    'autofill',
    ['honeypot'],
    filled('Müller & Söhne GmbH', 'Flat 12, 123 Long Meadow Road, Newcastle upon Tyne'),
  ],
  [
    'what robots write',
    ['honeypot', 'honeypot text'],
    filled('https://pills.example', '<a href="x">y</a>', 'x'.repeat(121), ` ${fields.message}\n`),
  ],
  ['a quick form', ['fast'], [{ formAgeMs: 1999 }]],
  ['the third time', ['repeats'], [{ repeats: 2 }]],
  ['the tenth time', ['many repeats'], [{ repeats: 9 }]],
  ['the fiftieth time', ['campaign'], [{ repeats: 49 }]],
  ['much', ['honeypot', 'honeypot text', 'fast', 'markup'], [{ formAgeMs: 1, ...bot }]],
  ['mostly links', ['links'], [{ name: threeLinks }, ...says(`Cheap: ${threeLinks.toUpperCase()}`)]],
  ['links without a scheme', ['links'], says('a.example, b.example.org and www.c.example/path?x=1, ok')],
  [
    'not mostly links',
    [],
    says(
      'http://a.example/1 http://b.example/2',
      `a.example b.example c.example${' and much besides'.repeat(5)}`,
      'zoe@a.example, max@b.example and kim.lee@c.example can tell you more',
      'We use node 26.1, e.g. for 1.5 or 2.25 of them... and so on. So what.',
      '请检查 http://a.example 和 http://b.example 以及 http://c.example，这些网站最近经常无法访问，我们的客户已经多次投诉，非常着急，希望尽快得到你们的帮助，谢谢你们的支持与理解，期待回复',
    ),
  ],
  ['markup', ['markup'], says('<a href=x>y</a>', '<A class="b"\n HREF=x>', '[URL]x[/URL]', '[link=x]')],
  ['no markup', [], says('<script>alert(1)</script>', '<abbr href=x>', '[urls]', 'a < b, <a > href')],
])('%s: %j', (_, reasons, messages) => {
  const scored = messages.map(about => scoreMessage({ ...fields, ...about }, { ...quiet, ...about }));
  const score = reasons.reduce((sum, reason) => sum + weights[reason], 0);
  expect(scored).toEqual(messages.map(() => ({ score, reasons })));
});

describe('what legitimate senders cause', () => {
  const reaches = (...names: SpamSignal[]) =>
    names.reduce((sum, name) => sum + weights[name], 0) >= quarantineThreshold;
  /** A single sender causes no flood and no campaign, and autofill writes nothing that only bots write. */
  const legitimate: SpamSignal[] = ['honeypot', 'fast', 'links', 'markup', 'repeats', 'many repeats'];

  test('is not quarantined for one signal, nor for two', () => {
    const pairs = legitimate.flatMap(one => legitimate.map(other => [...new Set([one, other])]));
    expect(pairs.filter(pair => reaches(...pair))).toEqual([]);
  });

  test('is not quarantined in a flood or a campaign, unless there is another signal', () => {
    expect([reaches('flood'), reaches('campaign')]).toEqual([false, false]);
    const others = signals.filter(name => name !== 'flood');
    expect(others.filter(name => !reaches('flood', name))).toEqual([]);
    for (const name of ['honeypot', 'links', 'markup'] as const) expect(reaches('campaign', name)).toBe(true);
  });
});

describe('repeats', () => {
  const offer = 'Hello, we saw your site and can put it on the first page of every search';
  const accented = offer.replaceAll('e', 'é');

  test.each([
    [offer, offer.toUpperCase()],
    [offer, `  ${offer.replaceAll(' ', '\r\n')}! $199 (4711)`],
    [offer, `www.other.example ${offer} https://pills-17.example/x?y=1`],
    // Stacks of accents are removed.
    [offer, offer.replaceAll('e', `e${'\u0301\u0316'.repeat(20)}`)],
    [accented, accented.normalize('NFD')],
  ])('%j is the same text as %j', (one, other) => {
    expect(normalizeForRepeats(one)).toBeDefined();
    expect(normalizeForRepeats(one)).toBe(normalizeForRepeats(other));
  });

  test('are no other words or accents, and no short texts', () => {
    const texts = [offer, offer.replace('site', 'shop'), accented].map(normalizeForRepeats);
    expect(new Set(texts).size).toBe(3);
    const short = ['Please call me back.', '1234567890'.repeat(10), 'https://a.example/'.repeat(10)];
    for (const text of short) expect(normalizeForRepeats(text)).toBeUndefined();
  });
});

test.each([
  'a-'.repeat(32_000),
  `<a ${' '.repeat(64_000)}`,
  'www.'.repeat(16_000),
  ' a.example'.repeat(6500),
  '\ufdfa'.repeat(21_000),
  `a${'\u0301'.repeat(16_000)}${'\u0316'.repeat(16_000)}`,
])('no text takes long to judge (%#)', message => {
  // Of this thread alone, which does not depend on the load of the machine.
  const before = process.threadCpuUsage();
  scoreMessage({ ...fields, message }, { ...quiet, honeypot: message });
  normalizeForRepeats(message);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(500);
});
