import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetUnsent, readUnsent, saveUnsent, type UnsentMessage, unsentPrefix } from './unsent-message.ts';

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

test('a message is read by its own form until it is forgotten', () => {
  saveUnsent(message);
  expect(readUnsent('contact')).toEqual(message);
  expect(readUnsent('services')).toBeUndefined();
  forgetUnsent({ ...message, key: message.key.replaceAll('2', '0') });
  expect(readUnsent('contact')).toEqual(message);
  forgetUnsent(message);
  expect(items.size).toBe(0);
});

test.each([
  ['no JSON', 'Hello'],
  ['nothing', null],
  ['a list', []],
  ['no form', { ...message, form: undefined }],
  ['no fields', { ...message, fields: null }],
  ['a field that is no text', { ...message, fields: { message: { toString: 'Hello' } } }],
  ['a key that is no text', { ...message, key: [message.key] }],
  ['a key with more in it', { ...message, key: `${message.key}\r\nx: y` }],
  ['no time', { ...message, pressedAt: 'today' }],
  ['a day ago', { ...message, pressedAt: now - 24 * hourMs }],
  ['a time to come', { ...message, pressedAt: now + 25 * hourMs }],
])('%s is thrown away', (_, found) => {
  items.set(`${unsentPrefix}contact`, typeof found === 'string' ? found : JSON.stringify(found));
  expect(readUnsent('contact')).toBeUndefined();
  expect(items.size).toBe(0);
});

test('a message is read for almost a day, and without what is no field of a message', () => {
  const pressedAt = now - 23 * hourMs;
  const fields = { ...message.fields, admin: 'yes' };
  items.set(`${unsentPrefix}contact`, JSON.stringify({ ...message, pressedAt, fields, more: 1 }));
  expect(readUnsent('contact')).toEqual({ ...message, pressedAt });
});

test('a storage that fails is no reason to fail', () => {
  const fail = () => {
    throw new Error('denied');
  };
  vi.stubGlobal('sessionStorage', { getItem: fail, setItem: fail, removeItem: fail });
  saveUnsent(message);
  forgetUnsent(message);
  expect(readUnsent('contact')).toBeUndefined();
});
