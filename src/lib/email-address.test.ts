import { expect, test } from 'vitest';
import { canonicalizeMailbox, parseDeliverableAddress } from './email-address.ts';

const long = (local: number, domain: number) =>
  `${'l'.repeat(local)}@${`${'d'.repeat(49)}.`.repeat(3)}${'d'.repeat(domain - 150)}`;

test.each([
  ['\u00a0Zoe.Smith+news@Mail.EXAMPLE.com\ufeff', 'Zoe.Smith+news@mail.example.com'],
  ['{company.name}@bücher.example', '{company.name}@xn--bcher-kva.example'],
  [long(64, 189), long(64, 189)],
])('%j is sent to as %s', (typed, address) => {
  expect(parseDeliverableAddress(typed)).toEqual({ address, lowerCaseAddress: address.toLowerCase() });
});

test('no mail is sent to what is not one address', () => {
  const refused = [
    ...['', 'zoe', 'zoe@', 'zoe@example.org@example.com', 'zoe..smith@example.com', 'zoe smith@example.com'],
    ...['zoe@127.0.0.1', 'zoe@[127.0.0.1]', long(65, 180), long(64, 190), `zoe@${'a.'.repeat(100_000)}com`],
    ...['zoe@example.com, victim@example.org', 'Zoe <zoe@example.com>', 'zoe(smith)@example.com'],
    ...['zoe@example.com\r\nBcc: victim@example.org', 'zoe\\@example.com', 'zoe\0@example.com'],
    // Look-alikes of @ and of a letter, a right-to-left override, and a sign that unfolds into others.
    ...['zoe\uff20example.com', 'zo\u0435@example.com', 'zoe\u202e@example.com', 'zoe@example\u2100.com'],
  ];
  expect(refused.filter(parseDeliverableAddress)).toEqual([]);
});

test.each([
  ['Zoe.Smith+a+b@example.com', 'zoe.smith@example.com'],
  ['z.o.e+a.b@gmail.com', 'zoe@gmail.com'],
  ['z.oe@mail.gmail.com', 'z.oe@mail.gmail.com'],
  // Empty tags: each is its own address.
  ['+a@example.com', '+a@example.com'],
])('%s is delivered to %s', (address, mailbox) => expect(canonicalizeMailbox(address)).toBe(mailbox));
