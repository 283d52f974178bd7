import { formField, type MessageInput, messageFields, unsentField } from './contract.ts';

/** An object whose known fields are text; anything else in it is ignored. */
export function parseJson(text: string): MessageInput | undefined {
  return parseFields(parseObject(text));
}

export type PostedForm = {
  /** What the form calls itself. */
  name: string;
  fields: MessageInput;
  /** Whether a message waits in the visitor's tab, this one or another. */
  hasUnsent: boolean;
  /** The key of the message that waits in the visitor's tab, if it is this very one. */
  unsentKey: string | undefined;
  /** Bytes of the message itself: posted, a letter outside of ASCII takes three times as many. */
  size: number;
  /** False when bytes were posted that are no text: what could be read of them is not what was sent. */
  isWhole: boolean;
};

export function parseForm(text: string): PostedForm {
  const form = new URLSearchParams(text);
  const fields = pickFields(name => form.get(name) ?? '');
  const unsent = form.get(unsentField) ?? '';
  const size = Buffer.byteLength(Object.values(fields).join(''));
  const isWhole =
    !Object.values(fields).some(value => value.includes('\ufffd')) || /%EF%BF%BD|\ufffd/i.test(text);
  return {
    name: form.get(formField) ?? '',
    fields,
    hasUnsent: unsent !== '',
    unsentKey: findUnsentKey(unsent, fields),
    size,
    isWhole,
  };
}

/** Anything that could be a name: visible characters, in quotes or without. */
export function parseKey(header: string): string | null {
  return /^"?([!#-~]{1,200})"?$/.exec(header)?.[1] ?? null;
}

/** A message that waits in the tab, if it is this very one, has a key: by script or by form, it arrives once. */
function findUnsentKey(text: string, posted: MessageInput): string | undefined {
  if (!text) return undefined;
  const unsent = parseObject(text);
  const fields = unsent && parseFields(unsent.get('fields'));
  const key = unsent?.get('key');
  const isSame = fields && messageFields.every(name => oneLine(fields[name]) === oneLine(posted[name]));
  return isSame && typeof key === 'string' ? (parseKey(key) ?? undefined) : undefined;
}

/** The ends of lines are all that a form changes. */
function oneLine(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function parseObject(text: string): Map<string, unknown> | undefined {
  try {
    return toMap(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function toMap(value: unknown): Map<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value));
}

function parseFields(value: unknown): MessageInput | undefined {
  const known = value instanceof Map ? (value as Map<string, unknown>) : toMap(value);
  if (!known) return undefined;
  const isText = messageFields.every(name => !known.has(name) || typeof known.get(name) === 'string');
  return isText ? pickFields(name => (known.get(name) ?? '') as string) : undefined;
}

function pickFields(get: (name: string) => string): MessageInput {
  return { name: get('name'), email: get('email'), message: get('message'), service: get('service') };
}
