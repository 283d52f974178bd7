import { describe, expect, test } from 'vitest';
import { acceptedEncodings, matchesTag } from './content-negotiation.ts';

describe('the encodings that a client accepts', () => {
  test.each<[header: string | undefined, accepted: string[]]>([
    ['', []],
    ['gzip, deflate, br, zstd', ['br', 'zstd', 'gzip']],
    ['br;q=0.1, gzip;q=0.9, zstd;q=0.5', ['gzip', 'zstd', 'br']],
    ['*', ['br', 'zstd', 'gzip']],
    ['br;q=0, *', ['zstd', 'gzip']],
    [',,;;==', []],
    ['br;q=high', []],
    ['__proto__', []],
  ])('of %j are %j', (header, accepted) => expect(acceptedEncodings(header)).toEqual(accepted));
});

describe('an entity tag', () => {
  test.each(['"abc-br"', 'W/"abc-br"', '"old", "abc-br"', '"old",W/"abc-br" , "new"', '*', ' * '])(
    'is matched by %s',
    header => expect(matchesTag(header, '"abc-br"')).toBe(true),
  );

  test.each(['', '"abc"', 'abc-br', 'w/"abc-br"', '"*"', '"x"abc-br"', '"old", "new"'])(
    'is not matched by %j',
    header => expect(matchesTag(header, '"abc-br"')).toBe(false),
  );
});
