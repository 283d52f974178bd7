import { toMap } from './parse-fields.ts';

/** Mail to this address came back for good, or its reader called it spam. */
export type Report = { address: string; why: 'bounce' | 'complaint' };

/**
 * What a provider reports: `{ "type": "bounce", "address": "…" }`, a list of these, or the events that many providers
 * send, `{ "type": "email.bounced", "data": { "to": ["…"] } }`. Events about anything else are understood, and nothing.
 */
export function parseReports(text: string): Report[] | undefined {
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

function readEntry(value: unknown): Report[] | undefined {
  const entry = toMap(value);
  const type = entry?.get('type');
  if (!entry || typeof type !== 'string') return undefined;
  if (type === 'bounce' || type === 'complaint') {
    const address = entry.get('address');
    return typeof address === 'string' ? [{ address: bare(address), why: type }] : undefined;
  }
  if (type !== 'email.bounced' && type !== 'email.complained') return [];
  const data = toMap(entry.get('data'));
  return data && readEvent(type, data);
}

function readEvent(
  type: 'email.bounced' | 'email.complained',
  data: Map<string, unknown>,
): Report[] | undefined {
  const why = { 'email.bounced': 'bounce', 'email.complained': 'complaint' } as const;
  if (type === 'email.bounced' && !isPermanent(toMap(data.get('bounce')))) return [];
  const to = [data.get('to')].flat();
  return to.length > 0 && to.every(address => typeof address === 'string')
    ? to.map(address => ({ address: bare(address), why: why[type] }))
    : undefined;
}

/** As in the head of a mail: with a name, the address stands in angle brackets. */
function bare(text: string): string {
  return /<([^<>]*)>\s*$/.exec(text)?.[1] ?? text;
}

/** A full mailbox or a server that is down may take the next issue. Where nothing is said, the event means for good. */
function isPermanent(bounce: Map<string, unknown> | undefined): boolean {
  const type = bounce?.get('type') ?? 'permanent';
  return typeof type === 'string' && type.toLowerCase() === 'permanent';
}
