import { unsentPrefix } from '../../../ui/contract.ts';
import type { FormName } from '../contract.ts';
import { type MessageFields, messageFieldNames } from '../message-fields.ts';

export type UnsentMessage = {
  form: FormName;
  fields: Partial<MessageFields>;
  key: string;
  pressedAt: number;
};

const maxAgeMs = 24 * 60 * 60 * 1000;

/** The absolute difference, so that clock skew does not prolong it. */
export function isExpired({ pressedAt }: UnsentMessage): boolean {
  return Math.abs(Date.now() - pressedAt) >= maxAgeMs;
}

/** Storage may be denied or full: the message is then lost with the page. Returns whether it is saved. */
export function saveUnsent(message: UnsentMessage): boolean {
  withSessionStorage(storage => storage.setItem(unsentPrefix + message.form, JSON.stringify(message)));
  return isSaved(message);
}

export function isSaved({ form, key }: Pick<UnsentMessage, 'form' | 'key'>): boolean {
  return readUnsent(form)?.key === key;
}

export function removeUnsent({ form, key }: UnsentMessage): void {
  if (isSaved({ form, key })) withSessionStorage(storage => storage.removeItem(unsentPrefix + form));
}

export function readUnsent(form: FormName): UnsentMessage | undefined {
  const text = withSessionStorage(storage => storage.getItem(unsentPrefix + form)) ?? undefined;
  if (text === undefined) return undefined;
  const message = parse(text);
  if (message?.form !== form || isExpired(message)) {
    withSessionStorage(storage => storage.removeItem(unsentPrefix + form));
    return undefined;
  }
  return message;
}

function parse(text: string): UnsentMessage | undefined {
  let record: Record<keyof UnsentMessage, unknown>;
  try {
    record = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { form, fields, key, pressedAt } = record ?? {};
  if (typeof form !== 'string' || typeof fields !== 'object' || !fields) return undefined;
  if (typeof key !== 'string' || !/^[\da-f-]{36}$/.test(key)) return undefined;
  if (typeof pressedAt !== 'number') return undefined;
  const values = new Map(Object.entries(fields));
  const entries = messageFieldNames.filter(name => values.has(name)).map(name => [name, values.get(name)]);
  if (entries.some(([, value]) => typeof value !== 'string')) return undefined;
  return { form: form as FormName, fields: Object.fromEntries(entries), key, pressedAt };
}

function withSessionStorage<T>(access: (storage: Storage) => T): T | undefined {
  try {
    return access(sessionStorage);
  } catch {
    return undefined;
  }
}
