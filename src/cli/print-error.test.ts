import { expect, test } from 'vitest';
import { testConfig } from '../../tests/harness/site.ts';
import { explainDatabaseError } from './print-error.ts';

const elsewhere = testConfig({
  DATABASE_URL: 'postgres://office:hidden@db.example.com/site?sslmode=verify-full',
});

test.each([
  [
    'EACCES',
    testConfig({ DATA_DIR: '/srv/data' }),
    /^cannot use the data folder \/srv\/data: permission denied/,
  ],
  [
    'ECONNREFUSED',
    elsewhere,
    /^cannot use the database at postgres:\/\/db\.example\.com\/site: connection refused/,
  ],
  ['ENOTFOUND', elsewhere, /: host not found$/],
  ['28P01', elsewhere, /: password authentication failed$/],
])('%s is explained without the password', (code, config, wanted) => {
  const explained = explainDatabaseError(
    Object.assign(new Error('password authentication failed'), { code }),
    config,
  );
  expect(explained).toMatch(wanted);
  expect(explained).not.toContain('hidden');
});
