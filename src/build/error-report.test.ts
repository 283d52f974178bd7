import { expect, test } from 'vitest';
import { describeProgramError } from './error-report.ts';

test('an error of the program is described by file, line and reason', () => {
  const parsing =
    'Transform failed with 1 error:\n\n\u001b[31m[PARSE_ERROR] \u001b[0mUnexpected token\n [ src/site/a.tsx:4:8 ]';
  expect(describeProgramError(new Error(parsing), '/home/me')).toBe(
    'src/site/a.tsx line 4: Unexpected token',
  );
  const running = Object.assign(new Error('no such field'), {
    stack: 'at Page (/home/me/src/site/b.tsx:12:3)',
  });
  expect(describeProgramError(running, '/home/me')).toBe('src/site/b.tsx line 12: no such field');
});
