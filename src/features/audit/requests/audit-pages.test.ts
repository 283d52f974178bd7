import { expect, test } from 'vitest';
import { fakeReport } from '../../../../tests/fakes/audit-runner.ts';
import { renderOnce } from './audit-pages.ts';

test('a report whose link is opened again and again is rendered once a minute', () => {
  const calls: string[] = [];
  const report = { id: '1', ...fakeReport('example.com', new Date(0)) };
  const render = renderOnce((_, { path, ageSeconds }) => {
    calls.push(path);
    return `${path} ${Math.floor(ageSeconds / 60)}`;
  });
  for (const [path, ageSeconds] of [
    ['/a', 1],
    ['/a', 59],
    ['/a', 60],
    ['/b', 60],
  ] as const)
    expect(render(report, { path, ageSeconds })).toBe(`${path} ${Math.floor(ageSeconds / 60)}`);
  expect(calls).toEqual(['/a', '/a', '/b']);
});
