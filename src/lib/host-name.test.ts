import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostNames, notHostNames } from '../../tests/harness/host-names.ts';
import { parseHostName } from './host-name.ts';

describe('a host name', () => {
  test.each([
    ...Object.entries(hostNames),
    ['localhost', 'localhost'],
    ['192.0.2.1', '192.0.2.1'],
    ['0x7f.1', '0x7f.1'],
    ['1.2.3.4.5', '1.2.3.4.5'],
    ['example\u3002com', 'example.com'],
    ['exam\u00adple.com', 'example.com'],
    [`${'d'.repeat(63)}.`.repeat(3) + 'd'.repeat(61), `${'d'.repeat(63)}.`.repeat(3) + 'd'.repeat(61)],
  ])('%j is parsed as %s', (typed, name) => expect(parseHostName(typed)).toBe(name));

  test.each(['', '.', 'a b', 'a\tb', 'a\0b', '[::1]', 'a@b', 'a\u2028b', '\ud800.co', ...notHostNames])(
    '%j is not a host name',
    typed => expect(parseHostName(typed)).toBeUndefined(),
  );

  test('consists of dot-separated labels for any input, and parsing is idempotent', () => {
    const unit = fc.constantFrom(...'aB1.-./?#\\:%@_ \t\0[]\u00fc\u3002\uff0f\u00ad\u200b\uff05\u2100\uff11');
    const typed = fc.oneof(fc.string({ unit, maxLength: 20 }), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(typed, text => {
        const name = parseHostName(text);
        if (name === undefined) return;
        expect(name).toMatch(/^(?!.{254})[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/);
        expect(parseHostName(name)).toBe(name);
      }),
      { numRuns: 600 },
    );
  });
});
