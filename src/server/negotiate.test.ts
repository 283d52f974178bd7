import { describe, expect, test } from 'vitest';
import { acceptedEncodings, matchesTag } from './negotiate.ts';

describe('the encodings that a client accepts', () => {
  test.each<[header: string | undefined, accepted: string[]]>([
    [undefined, []],
    ['', []],
    ['gzip, deflate, br, zstd', ['br', 'zstd', 'gzip']],
    ['gzip', ['gzip']],
    ['GZIP;Q=0.5', ['gzip']],
    ['br;q=0.1, gzip;q=0.9, zstd;q=0.5', ['gzip', 'zstd', 'br']],
    ['gzip;q=1.0, *;q=0.5', ['gzip', 'br', 'zstd']],
    ['*', ['br', 'zstd', 'gzip']],
    ['br;q=0, *', ['zstd', 'gzip']],
    ['br, gzip;q=0', ['br']],
    ['*;q=0', []],
    ['br;q=0.000', []],
    ['identity', []],
    [' br ; q=0.2 ,gzip ;q=0.3', ['gzip', 'br']],
  ])('of %j are %j', (header, accepted) => {
    expect(acceptedEncodings(header)).toEqual(accepted);
    expect(acceptedEncodings(header)).toEqual(accepted);
  });

  test.each([
    'brotli',
    ',,;;==',
    'br;q=high',
    'br;q=',
    'br;q=NaN',
    'q=1',
    '__proto__',
    'br gzip',
    '\u{1f600}',
  ])('are none for the nonsense %j', header => expect(acceptedEncodings(header)).toEqual([]));

  test('are still correct for the thousandth different header', () => {
    for (let count = 0; count < 1000; count += 1) {
      expect(acceptedEncodings(`gzip;q=0.5, x-${count}, br;q=0.${count + 1}`)).toContain('br');
    }
    expect(acceptedEncodings('x-last, br')).toEqual(['br']);
  });
});

describe('an entity tag', () => {
  test.each(['"abc-br"', 'W/"abc-br"', '"old", "abc-br"', '"old",W/"abc-br" , "new"', '*', ' * '])(
    'is matched by %s',
    header => expect(matchesTag(header, '"abc-br"')).toBe(true),
  );

  test.each(['', '"abc"', '"abc-gzip"', 'abc-br', 'w/"abc-br"', '"*"', 'W/*', '"x"abc-br"', '"old", "new"'])(
    'is not matched by %j',
    header => expect(matchesTag(header, '"abc-br"')).toBe(false),
  );
});
