import { expect, test } from 'vitest';
import { testConfig } from '../../tests/harness/site.ts';
import { explainDatabaseError } from './exit-on-error.ts';

const DATABASE_URL = 'postgres://office:hidden@db.example.com/site?sslmode=verify-full';
const folder = /^cannot use the data folder \/srv\/data: permission denied/;
const server = /^cannot use the database at postgres:\/\/db\.example\.com\/site: connection refused/;

test.each([
  ['EACCES', { DATA_DIR: '/srv/data' }, folder],
  ['ECONNREFUSED', { DATABASE_URL }, server],
  ['ENOTFOUND', { DATABASE_URL }, /: host not found$/],
  ['28P01', { DATABASE_URL }, /: password authentication failed$/],
])('%s is explained without the password', (code, env: Record<string, string>, wanted) => {
  const error = Object.assign(new Error('password authentication failed'), { code });
  const explained = explainDatabaseError(error, testConfig(env));
  expect(explained).toMatch(wanted);
  expect(explained).not.toContain('hidden');
});
