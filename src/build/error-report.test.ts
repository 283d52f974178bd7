import { expect, test } from 'vitest';
import { createErrorReport, describeProgramError } from './error-report.ts';

test('errors are printed when they change, and places without any are named as fixed', () => {
  const lines: string[] = [];
  const report = createErrorReport(printed => lines.push(...printed));
  const read = (errors: string[]) => {
    lines.length = 0;
    report(errors);
    return [...lines];
  };
  const [phone, email] = ['company.yaml line 5: phone', 'company.yaml line 6: email'].map(
    one => `content/${one} is empty`,
  ) as [string, string];
  expect(read([])).toEqual([]);
  expect(read([phone, email])).toEqual(['2 errors', phone, email]);
  expect(read([phone, email])).toEqual([]);
  expect(read([email, '/404 contains a style attribute'])).toEqual([
    '2 errors',
    email,
    '/404 contains a style attribute',
  ]);
  expect(read([email])).toEqual(['Fixed: /404', 'One error', email]);
  expect(read([])).toEqual(['Fixed: content/company.yaml', 'No errors']);
});

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
