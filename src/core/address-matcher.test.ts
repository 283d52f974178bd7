import { describe, expect, test } from 'vitest';
import { type AddressMatcher, createAddressMatcher } from './address-matcher.ts';

const ann = createAddressMatcher(' Ann@Example.com ') as AddressMatcher;

describe('an address is found', () => {
  test.each([
    'ann@example.com',
    'Write to ANN@EXAMPLE.COM.',
    '...ann@example.com...',
    'mailto:ann@example.com?subject=x',
    'https://site.example/?to=ann%40example.com&x=1',
    'ann@example[.]com, again',
    'ann＠example.com',
    'x joann@example.com ann@example.com',
  ])('in %s', text => {
    expect(ann.mentions(text)).toBe(true);
    expect(ann.redact(text)).toContain('[erased]');
    expect(ann.mentions(ann.redact(text))).toBe(false);
  });

  test.each([
    'joann@example.com',
    'jo+ann@example.com',
    'ann@example.com.au',
    'ann@example.com-pany',
    'ann@example[.]com[.]au',
    'https://site.example/?to=jo%2Bann%40example.com',
    '',
  ])('and not in %s', text => {
    expect(ann.mentions(text)).toBe(false);
    expect(ann.redact(text)).toBe(text);
  });

  test('in every spelling', () => {
    expect(['ann@example.com', ' ANN@Example.com', 'ann@example.com.'].every(ann.belongsToPerson)).toBe(true);
    expect(['joann@example.com', 'ann@example.org', ''].some(ann.belongsToPerson)).toBe(false);
    const jo = createAddressMatcher('jörg@bücher.example') as AddressMatcher;
    expect(jo.part).toBeUndefined();
    const domains = ['jörg@xn--bcher-kva.example', 'JÖRG@BÜCHER.example', 'jo\u0308rg@bücher.example'];
    for (const spelling of domains) {
      expect(jo.belongsToPerson(spelling)).toBe(true);
      expect(jo.redact(`to ${spelling}, soon`)).toBe('to [erased], soon');
    }
  });

  test('with characters that are special in a pattern', () => {
    const odd = createAddressMatcher('a.b+c*$@example.com') as AddressMatcher;
    expect(odd.redact('of a.b+c*$@example.com and axb+c*$@example.com')).toBe(
      'of [erased] and axb+c*$@example.com',
    );
    expect(odd.redact('to=a.b%2Bc%2a%24%40example.com&x')).toBe('to=[erased]&x');
    expect(odd.part).toBe('a');
    const jo = createAddressMatcher('jörg@example.com') as AddressMatcher;
    expect(jo.redact('to=j%C3%B6rg%40example.com')).toBe('to=[erased]');
  });

  test('in linear time in a hostile text', () => {
    const hostile = `${'.'.repeat(200_000)}ann@example.com${'x.'.repeat(100_000)}`;
    expect(ann.mentions(hostile)).toBe(false);
    expect(ann.mentions('ann@'.repeat(100_000))).toBe(false);
  });
});

test.each(['ann', '@example.com', 'ann@', '', 'a b@example.com', 'ann@example.com, bob@example.com'])(
  "'%s' is not an address",
  text => expect(createAddressMatcher(text)).toBeUndefined(),
);
