import { expect, test } from 'vitest';
import { parseHostName } from './host-name.ts';

const longest = `${'d'.repeat(63)}.`.repeat(3) + 'd'.repeat(61);

test.each([
  ['1st.a-b.EXAMPLE', '1st.a-b.example'],
  ['B\u00dcCHER.example', 'xn--bcher-kva.example'],
  ['\uff45xam\u00adple\u3002com', 'example.com'],
  ['0x7f.1', '0x7f.1'],
  [longest, longest],
])('%j is parsed as %s', (typed, name) => expect(parseHostName(typed)).toBe(name));

test('what is not a host name, although a URL parser finds one in most of it, is refused', () => {
  const refused = [
    ...['', '.', 'a b', 'a\tb', 'a\0b', '[::1]', 'a@b', 'a\u2028b', '\ud800.co', 'b..co', '.b.co', 'b.co.'],
    ...['b.co/../x?y#z', 'b.co?x', 'b.co\\x', 'b.co:25', 'b%2eco', 'b.co\uff0fx', 'b\u2100.co', 'b_c.co'],
    ...['b\u00fccher.example#x', 'b{c}.co', 'b.co\u3002', '-b.co', 'b-.co', `${'d'.repeat(64)}.co`],
    `${longest}d`,
  ];
  expect(refused.filter(parseHostName)).toEqual([]);
});
