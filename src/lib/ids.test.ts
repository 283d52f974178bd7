import { expect, test } from 'vitest';
import { randomIds } from './ids.ts';

test('a reference contains no I, L, O or U, so that it can be read out on the phone', () => {
  const references = Array.from({ length: 2000 }, () => randomIds.reference());
  for (const reference of references)
    expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(new Set(references).size).toBe(references.length);
});

test('a reference uses all 32 characters in every position, which makes 50 random bits', () => {
  const references = Array.from({ length: 2000 }, () => randomIds.reference().replace('-', ''));
  for (let position = 0; position < 10; position += 1) {
    expect(new Set(references.map(reference => reference[position])).size).toBe(32);
  }
});

test('a request id is a UUID of its own', () => {
  const ids = new Set(Array.from({ length: 1000 }, () => randomIds.request()));
  expect(ids.size).toBe(1000);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
