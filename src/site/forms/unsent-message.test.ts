import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readUnsent, type UnsentMessage, unsentPrefix } from './unsent-message.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const hourMs = 60 * 60 * 1000;
const message: UnsentMessage = {
  form: 'contact',
  fields: { name: 'Zoë', email: '', message: 'Hello' },
  key: '12345678-1234-4234-8234-123456789012',
  pressedAt: now,
};

let items: Map<string, string>;
beforeEach(() => {
  items = new Map();
  vi.useFakeTimers({ now });
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => items.set(name, value),
    removeItem: (name: string) => items.delete(name),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test.each([
  ['not JSON', 'Hello'],
  ['nothing', null],
  ['no fields', { ...message, fields: null }],
  ['a field that is not text', { ...message, fields: { message: { toString: 'Hello' } } }],
  ['a key followed by a header', { ...message, key: `${message.key}\r\nx: y` }],
  ['no time', { ...message, pressedAt: 'today' }],
  ['a day ago', { ...message, pressedAt: now - 24 * hourMs }],
  ['a time in the future', { ...message, pressedAt: now + 25 * hourMs }],
])('an invalid entry is removed: %s', (_, found) => {
  items.set(`${unsentPrefix}contact`, typeof found === 'string' ? found : JSON.stringify(found));
  expect(readUnsent('contact')).toBeUndefined();
  expect(items.size).toBe(0);
});

test('a message is read for up to a day, without unknown fields', () => {
  const pressedAt = now - 23 * hourMs;
  const fields = { ...message.fields, admin: 'yes' };
  items.set(`${unsentPrefix}contact`, JSON.stringify({ ...message, pressedAt, fields, more: 1 }));
  expect(readUnsent('contact')).toEqual({ ...message, pressedAt });
});
