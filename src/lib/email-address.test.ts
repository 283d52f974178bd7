import { describe, expect, test } from 'vitest';
import { canonicalizeMailbox, parseDeliverableAddress } from './email-address.ts';

const long = (local: number, domain: number) =>
  `${'l'.repeat(local)}@${`${'d'.repeat(49)}.`.repeat(3)}${'d'.repeat(domain - 150)}`;

describe('an address that mail can be sent to', () => {
  test.each([
    ['zoe@example.com', 'zoe@example.com'],
    ['\u00a0zoe@example.com\ufeff', 'zoe@example.com'],
    ['Zoe.Smith+news@Mail.EXAMPLE.com', 'Zoe.Smith+news@mail.example.com'],
    ['{company.name}@example.com', '{company.name}@example.com'],
    ['zoe@bücher.example', 'zoe@xn--bcher-kva.example'],
    ['zoe@例え.テスト', 'zoe@xn--r8jz45g.xn--zckzah'],
    [long(64, 189), long(64, 189)],
  ])('%j is sent to as %s', (typed, address) => {
    expect(parseDeliverableAddress(typed)).toEqual({ address, lowerCaseAddress: address.toLowerCase() });
  });
});

describe('no address', () => {
  test.each([
    ['nothing', ''],
    ['no @', 'zoe'],
    ['no domain', 'zoe@'],
    ['two @', 'zoe@example.org@example.com'],
    ['an IP address', 'zoe@127.0.0.1'],
    ['an IP literal', 'zoe@[127.0.0.1]'],
    ['two dots in the name', 'zoe..smith@example.com'],
    ['a name of 65 letters', long(65, 180)],
    ['255 letters', long(64, 190)],
    ['a very long text', `zoe@${'a.'.repeat(100_000)}com`],
  ])('%s', (_, typed) => expect(parseDeliverableAddress(typed)).toBeUndefined());

  test.each([
    ['a second recipient', 'zoe@example.com, victim@example.org'],
    ['a display name', 'Zoe <zoe@example.com>'],
    ['a comment', 'zoe(smith)@example.com'],
    ['a backslash', 'zoe\\@example.com'],
    ['a header after CR LF', 'zoe@example.com\r\nBcc: victim@example.org'],
    ['a NUL', 'zoe\0@example.com'],
    ['a space', 'zoe smith@example.com'],
    ['a look-alike of @', 'zoe\uff20example.com'],
    ['a look-alike of a letter in the name', 'zo\u0435@example.com'],
    ['a right-to-left override', 'zoe\u202e@example.com'],
    ['a sign that unfolds into others', 'zoe@example\u2100.com'],
  ])('%s', (_, typed) => expect(parseDeliverableAddress(typed)).toBeUndefined());
});

test.each([
  ['Zoe+News@Example.com', 'zoe@example.com'],
  ['zoe+a+b@example.com', 'zoe@example.com'],
  ['zoe.smith+a@example.com', 'zoe.smith@example.com'],
  ['z.o.e+a.b@gmail.com', 'zoe@gmail.com'],
  ['zoe@mail.gmail.com', 'zoe@mail.gmail.com'],
  // Empty tags: each is its own address.
  ['+a@example.com', '+a@example.com'],
])('%s is delivered to %s', (address, mailbox) => expect(canonicalizeMailbox(address)).toBe(mailbox));
