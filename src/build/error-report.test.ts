import { expect, test } from 'vitest';
import { createErrorReport } from './error-report.ts';

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
