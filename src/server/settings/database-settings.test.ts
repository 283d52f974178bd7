import { describe, expect, test } from 'vitest';
import { readDatabaseUrl } from './database-settings.ts';
import { createSettingsReader } from './settings-reader.ts';

function read(DATABASE_URL: string) {
  const reader = createSettingsReader({ DATABASE_URL });
  return { address: readDatabaseUrl(reader), errors: reader.errors };
}

describe('a database', () => {
  test.each([
    'postgres://user:word@127.0.0.1:5432/name',
    'postgres://user:word@localhost/name',
    'postgresql://[::1]/name',
    'postgres:///name',
    'postgres:///name?host=/run/postgresql',
    'postgres://user@%2Frun%2Fpostgresql/name',
  ])('on this machine is reached as it is: %s', address => {
    expect(read(address)).toEqual({ address, errors: [] });
  });

  test.each([
    'postgres://user:word@db.example.com/name?sslmode=verify-full',
    'postgres://user:word@db.example.com/name?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem',
    'postgres://user@10.0.0.7/name?sslmode=disable',
  ])('elsewhere is reached as its owner says: %s', address => {
    expect(read(address)).toEqual({ address, errors: [] });
  });

  test.each([
    'postgres://user:word@db.example.com/name',
    'postgres://user@10.0.0.7/name',
    'postgres://user:word@localhost/name?host=db.example.com',
    'postgres://user:word@db.example.com/name?sslmode=prefer',
    'postgres://user:word@db.example.com/name?sslmode=require',
    'postgres://user:word@db.example.com/name?sslmode=no-verify',
    'postgres://user:word@db.example.com/name?sslmode=verify-full&uselibpqcompat=true',
  ])('elsewhere is not reached in the clear by oversight: %s', address => {
    const { errors } = read(address);
    expect(errors).toEqual([expect.stringMatching(/^DATABASE_URL is at another machine/)]);
    expect(errors.join()).not.toContain('word');
  });
});
