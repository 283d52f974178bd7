import { expect, test } from 'vitest';
import { createAddressMatcher } from '../address-matcher.ts';
import { cleanText } from './clean-text.ts';

test.each([
  'ann.lee@example.com',
  'ann.lee%40example.com',
  'Ann.Lee\uff20example.com',
  'mailto:ann.lee@example.com',
])('an address at the end of what is kept is there whole or not at all: %s', address => {
  const matcher = createAddressMatcher('ann.lee@example.com');
  for (let before = 300 - address.length - 2; before <= 300; before++) {
    const text = cleanText(`${'x'.repeat(before - 1)} ${address}, ${'y'.repeat(50)}`);
    const isWhole = matcher?.mentions(text);
    if (!isWhole) expect(text).not.toMatch(/ann|lee/i);
    expect(text.length).toBeLessThanOrEqual(300);
  }
  expect(cleanText(`${'\0'.repeat(1190)} ${address}`)).not.toMatch(/ann|lee/i);
  expect(cleanText(`${'x'.repeat(10)} ${address}`)).toContain(address);
});

test('a long link keeps what stands before the address', () => {
  const link = `https://example.com/${'x'.repeat(250)}?to=ann@example.com${'&more'.repeat(20)}`;
  expect(cleanText(link)).toMatch(/^https:\/\/example\.com\/x{50,}…$/);
  expect(cleanText('z'.repeat(2000))).toHaveLength(300);
});
