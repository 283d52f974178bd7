import { expect, test } from 'vitest';
import { randomIds } from './ids.ts';

test('a reference can be read out on the phone: no I, L, O or U', () => {
  const references = Array.from({ length: 2000 }, () => randomIds.reference());
  for (const reference of references)
    expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(new Set(references).size).toBe(references.length);
});

test('a reference uses all 32 letters in every place, so that it holds 50 random bits', () => {
  const references = Array.from({ length: 2000 }, () => randomIds.reference().replace('-', ''));
  for (let place = 0; place < 10; place += 1) {
    expect(new Set(references.map(reference => reference[place])).size).toBe(32);
  }
});

test('a request has a name of its own', () => {
  const names = new Set(Array.from({ length: 1000 }, () => randomIds.request()));
  expect(names.size).toBe(1000);
  for (const name of names) expect(name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});
