import { expect, test } from 'vitest';
import { testConfig } from '../../tests/harness/site.ts';
import { explainDatabaseError } from './print-error.ts';

const elsewhere = testConfig({
  DATABASE_URL: 'postgres://office:hidden@db.example.com/site?sslmode=verify-full',
});

test.each([
  ['EACCES', testConfig({ DATA_DIR: '/srv/data' }), /^The data folder \/srv\/data .*: this user may not/],
  ['ECONNREFUSED', elsewhere, /^The database at postgres:\/\/db\.example\.com\/site .*: nothing answers/],
  ['ENOTFOUND', elsewhere, /: its host has no address$/],
  ['28P01', elsewhere, /: password authentication failed$/],
])('%s is told in words, without the password', (code, config, wanted) => {
  const told = explainDatabaseError(
    Object.assign(new Error('password authentication failed'), { code }),
    config,
  );
  expect(told).toMatch(wanted);
  expect(told).not.toContain('hidden');
});
