import { describe, expect, test } from 'vitest';
import { parseHostName } from './host-name.ts';

describe('a host name', () => {
  test.each([
    ['Mail.EXAMPLE.com', 'mail.example.com'],
    ['1st.a-b.example', '1st.a-b.example'],
    ['B\u00dcCHER.example', 'xn--bcher-kva.example'],
    ['\uff45xample.com', 'example.com'],
    ['localhost', 'localhost'],
    ['0x7f.1', '0x7f.1'],
    ['example\u3002com', 'example.com'],
    ['exam\u00adple.com', 'example.com'],
    [`${'d'.repeat(63)}.`.repeat(3) + 'd'.repeat(61), `${'d'.repeat(63)}.`.repeat(3) + 'd'.repeat(61)],
  ])('%j is parsed as %s', (typed, name) => expect(parseHostName(typed)).toBe(name));

  test.each([
    ...['', '.', 'a b', 'a\tb', 'a\0b', '[::1]', 'a@b', 'a\u2028b', '\ud800.co', 'b..co', '.b.co', 'b.co.'],
    // A URL parser finds a host name in most of these.
    ...['b.co/../x?y#z', 'b.co?x', 'b.co\\x', 'b.co:25', 'b%2eco', 'b.co\uff0fx', 'b\u2100.co', 'b_c.co'],
    ...['b\u00fccher.example#x', 'b{c}.co', 'b.co\u3002', '-b.co', 'b-.co', 'b.-', `${'d'.repeat(64)}.co`],
    `${`${'d'.repeat(63)}.`.repeat(3)}${'d'.repeat(62)}`,
  ])('%j is not a host name', typed => expect(parseHostName(typed)).toBeUndefined());
});
