import { honeypotField } from '../../../ui/contract.ts';
import { postJson } from '../../../ui/forms/post-json.ts';
import { type ContactResponse, contactPath, idempotencyHeader, tokenHeader } from '../contract.ts';
import { type MessageFieldName, type MessageFields, messageFieldNames } from '../message-fields.ts';

export type SendResult =
  | { kind: 'sent'; reference: string; isEmpty?: boolean }
  | MessageRefusal
  | { kind: 'offline' };

export type MessageRefusal = {
  kind: 'refused';
  status?: number;
  field?: MessageFieldName;
  retryAfterMinutes?: number;
};

export type OutgoingMessage = {
  fields: Partial<MessageFields>;
  key: string;
  honeypot: string;
  token: string | undefined;
};

export async function sendMessage(
  { fields, key, honeypot, token }: OutgoingMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const body = honeypot ? { ...fields, [honeypotField]: honeypot } : fields;
  const headers = { [idempotencyHeader]: key, ...(token ? { [tokenHeader]: token } : {}) };
  const response = await postJson<ContactResponse>(contactPath, body, headers, signal);
  if (!response) return { kind: 'offline' };
  const { status, json, retryAfterMinutes } = response;
  if (status === 200) return { kind: 'sent', reference: json?.reference ?? '' };
  const field = messageFieldNames.find(name => name === json?.field);
  return {
    kind: 'refused',
    status,
    ...(field ? { field } : {}),
    ...(retryAfterMinutes ? { retryAfterMinutes } : {}),
  };
}

export function createIdempotencyKey(): string {
  // Browsers have randomUUID on https only.
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}
