import { expect, test } from 'vitest';
import { parseYamlFile } from './source-positions.ts';

/** Three fields, the second of which each test spoils. */
const spoil = (line: string) => `name: Us\n${line}\nfacts:\n  year: 2020\n  place: here\n`;

test.each([
  ['a tab', '\tlogo: Us', [2, 'begins with a tab; use spaces']],
  ['a colon in a text', 'logo: Us: the few', [2, 'has a second colon; put the text in quotation marks']],
  ['a quotation mark left open', 'logo: "Us', [2, 'has a quotation mark that is not closed']],
  ['a bracket left open', 'logo: [Us', [2, 'has a bracket that is not closed']],
  ['words after a quotation', 'logo: "Us" here', [2, /^has something after its text; put the whole/]],
  ['a line too far right', 'logo: Us\n  place: x', [2, /^is followed by a line that begins too far/]],
  ['a line too far left', 'a:\n  b: 1\n c: 2', [4, /^does not begin in the same column/]],
  ['no colon', 'logo Us', [2, /^is missing the colon after its field/]],
  ['a star', 'logo: *Us', [2, 'has a text that begins with *; put it in quotation marks']],
  ['an at sign', 'logo: @Us', [2, /^has a text that begins with a special character; put it in quot/]],
  ['a second document', '---\nlogo: Us', [2, 'contains a line of ---, which would begin another document']],
] as const)('a file that is written wrongly is refused in plain words: %s', (_, line, [at, reason]) => {
  const { parsed, syntaxErrors } = parseYamlFile('a.yaml', spoil(line));
  expect(parsed).toBeUndefined();
  const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  expect(syntaxErrors[0]).toEqual({ file: 'a.yaml', line: at, field: '', reason: expected });
  expect(syntaxErrors.length).toBeLessThanOrEqual(2);
});
