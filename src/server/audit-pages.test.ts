import { expect, test } from 'vitest';
import { fakeReport } from '../../tests/fakes/audit-runner.ts';
import { renderOnce } from './audit-pages.ts';

test('a report whose link is opened again and again is rendered once a minute', () => {
  const calls: string[] = [];
  const report = { id: '1', ...fakeReport('example.com', new Date(0)) };
  const render = renderOnce((_, { path, ageSeconds }) => {
    calls.push(path);
    return `${path} ${Math.floor(ageSeconds / 60)}`;
  });
  const open = (path: string, ageSeconds: number) => render(report, { path, ageSeconds });
  expect([open('/a', 1), open('/a', 59), open('/a', 60), open('/b', 60)]).toEqual([
    '/a 0',
    '/a 0',
    '/a 1',
    '/b 1',
  ]);
  expect(calls).toEqual(['/a', '/a', '/b']);
  for (let at = 0; at < 20; at += 1) open(`/c${at}`, 60);
  open('/b', 60);
  expect(calls).toHaveLength(24);
});
