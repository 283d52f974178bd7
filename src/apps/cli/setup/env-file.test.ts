import { expect, test } from 'vitest';
import { editEnvFile, parseSettings } from './env-file.ts';

test.each([
  ['', { A: '1' }, expect.stringMatching(/^# Settings .*\nA=1\n$/)],
  ['# A=0\nB=2', { A: '1' }, '# A=0\nB=2\nA=1\n'],
  ['A=0 # why\r\nB=2\r\n', { A: '1' }, 'A=1 # why\r\nB=2\r\n'],
  ['export A = "x\ny" # why\nB=2\n', { A: '1', B: '' }, 'export A=1 # why\nB=\n'],
  ['A=0\nA=1\nAA=2\n', { A: '3' }, 'A=0\nA=3\nAA=2\n'],
  ['A=\n', { A: 'one #2' }, 'A="one #2"\n'],
  ['A=\n', { A: '"#' }, "A='\"#'\n"],
])('%j with %j', (text, changes, expected) => {
  const edited = editEnvFile(text, changes as Record<string, string>);
  expect(edited).toEqual(expected);
  for (const [name, value] of Object.entries(changes)) expect(parseSettings(edited)[name] ?? '').toBe(value);
});
