import { describe, expect, test } from 'vitest';
import { effortOf } from '../../../tests/harness/effort.ts';
import { findAddresses } from './naming.ts';

describe('what could be an address', () => {
  test.each([
    ['550 no mailbox <zoe@example.com> here', ['zoe@example.com']],
    ['ask zoe@example.com. Or: "max"@example.org!', ['zoe@example.com']],
    ['a@b@example.com, x@..', ['a@b@example.com']],
    ['a@b@..', ['a@b']],
    ['@example.com and zoe@', []],
  ])('is found in %j', (text, found) => expect(findAddresses(text)).toEqual(found));

  test.each(['.', '@', 'a.', '@.'])('is soon looked for in a text of nothing but %j', sign => {
    const look = () => expect(findAddresses(`a${sign.repeat(60_000)}`)).toEqual([]);
    expect(effortOf(look)).toBeLessThan(1000);
  });
});
