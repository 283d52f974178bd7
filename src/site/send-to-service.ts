import settings from 'content:settings';
import words from 'content:static';
import type { MessageInput } from '../api/contract.ts';
import type { SendResult } from './send-message.ts';

/** Static-only mode: a message goes straight to a sheet service, which has columns for these three and no other. */
export function sendToSheet(fields: Partial<MessageInput>, signal: AbortSignal): Promise<SendResult> {
  const { name = '', email = '', message = '', service } = fields;
  const lines = [service && words.service.replace('{name}', service), message];
  return postRecord(
    settings.CONTACT_ENDPOINT,
    { name, email, message: lines.filter(Boolean).join('\n') },
    signal,
  );
}

/** Only the status is read, and exactly 200 is success. The service is told nothing but the record. */
export async function postRecord(
  endpoint: string,
  record: Record<string, string>,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const { status } = await fetch(endpoint, {
      method: 'POST',
      // Any other header would need a permission that these services do not give.
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(record),
      credentials: 'omit',
      // What a redirect leads to is asked with GET: it would answer 200 and have stored nothing.
      redirect: 'manual',
      signal,
    });
    return status === 200 ? { kind: 'sent', reference: '' } : { kind: 'refused' };
  } catch {
    return { kind: 'offline' };
  }
}
