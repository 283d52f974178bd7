import { expect, test } from 'vitest';
import { randomIds } from './ids.ts';

test('a reference contains no I, L, O or U, so that it can be read out on the phone', () => {
  const references = Array.from({ length: 2000 }, () => randomIds.reference());
  for (const reference of references)
    expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/);
  expect(new Set(references).size).toBe(references.length);
});
