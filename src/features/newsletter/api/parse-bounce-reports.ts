import { toMap } from '../../../core/http/parse-fields.ts';

export type BounceReport = { email: string; reason: 'bounce' | 'complaint' };

/** `{ "type": "bounce", "address": "…" }`, a list of these, or `{ "type": "email.bounced", "data": { "to": ["…"] } }`. */
export function parseBounceReports(text: string): BounceReport[] | undefined {
  const entries = parseEntries(text)?.map(readEntry);
  return entries?.every(entry => entry !== undefined) ? entries.flat() : undefined;
}

function parseEntries(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return undefined;
  }
}

function readEntry(value: unknown): BounceReport[] | undefined {
  const entry = toMap(value);
  const type = entry?.get('type');
  if (!entry || typeof type !== 'string') return undefined;
  if (type === 'bounce' || type === 'complaint') {
    const email = entry.get('address');
    return typeof email === 'string' ? [{ email: stripDisplayName(email), reason: type }] : undefined;
  }
  if (type !== 'email.bounced' && type !== 'email.complained') return [];
  const data = toMap(entry.get('data'));
  return data && readEvent(type, data);
}

function readEvent(
  type: 'email.bounced' | 'email.complained',
  data: Map<string, unknown>,
): BounceReport[] | undefined {
  const reason = { 'email.bounced': 'bounce', 'email.complained': 'complaint' } as const;
  if (type === 'email.bounced' && !isPermanent(toMap(data.get('bounce')))) return [];
  const to = [data.get('to')].flat();
  return to.length > 0 && to.every(email => typeof email === 'string')
    ? to.map(email => ({ email: stripDisplayName(email), reason: reason[type] }))
    : undefined;
}

function stripDisplayName(text: string): string {
  return /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
}

/** A full mailbox or a server that is down may accept the next issue. Without a type, the bounce is permanent. */
function isPermanent(bounce: Map<string, unknown> | undefined): boolean {
  const type = bounce?.get('type') ?? 'permanent';
  return typeof type === 'string' && type.toLowerCase() === 'permanent';
}
