import { parseFields, parseObject, pickText, toMap } from '../../../core/http/parse-fields.ts';
import { formField, honeypotField, unsentField } from '../../../ui/contract.ts';
import { auditReportField } from '../contract.ts';
import { hasSameFields, type MessageFields, mapMessageFields, messageFieldNames } from '../message-fields.ts';

export type PostedMessage = {
  fields: MessageFields;
  honeypot: string;
  auditReport: string | undefined;
};

export function parseMessageJson(text: string): PostedMessage | undefined {
  const posted = parseObject(text);
  const fields = pickText(posted, messageFieldNames);
  const honeypot = posted?.get(honeypotField);
  return (
    fields && {
      fields,
      honeypot: typeof honeypot === 'string' ? honeypot : '',
      auditReport: parseReportId(posted?.get(auditReportField)),
    }
  );
}

export type PostedForm = PostedMessage & {
  name: string;
  hasUnsent: boolean;
  unsentKey: string | undefined;
  size: number;
};

export function parseMessageForm(text: string): PostedForm | undefined {
  const form = parseFields(text);
  if (!form) return undefined;
  const fields = mapMessageFields(name => form.get(name) ?? '');
  const unsent = form.get(unsentField) ?? '';
  const size = Buffer.byteLength(Object.values(fields).join(''));
  return {
    name: form.get(formField) ?? '',
    fields,
    honeypot: form.get(honeypotField) ?? '',
    auditReport: parseReportId(form.get(auditReportField)),
    hasUnsent: unsent !== '',
    unsentKey: findUnsentKey(unsent, fields),
    size,
  };
}

/** Anything else is not an id of ours; the message is stored without it. */
function parseReportId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value : undefined;
}

export function parseIdempotencyKey(header: string): string | null {
  return /^"?([!#-~]{1,200})"?$/.exec(header)?.[1] ?? null;
}

/** A message that was sent both by script and by form is stored once. */
function findUnsentKey(text: string, posted: MessageFields): string | undefined {
  if (!text) return undefined;
  const unsent = parseObject(text);
  const fields = unsent && pickText(toMap(unsent.get('fields')), messageFieldNames);
  const key = unsent?.get('key');
  const isSame = fields && hasSameFields(fields, posted);
  return isSame && typeof key === 'string' ? (parseIdempotencyKey(key) ?? undefined) : undefined;
}
