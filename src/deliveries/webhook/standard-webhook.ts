import { createHmac } from 'node:crypto';
import { assertForOwner, type Payload } from '../delivery.ts';

export function standardBody(payload: Payload, isPossibleDuplicate: boolean) {
  assertForOwner(payload);
  const { reference, receivedAt } = payload;
  const mark = isPossibleDuplicate ? { possibly_twice: true } : {};
  if (payload.kind === 'notice') {
    const { title, text } = payload;
    return { type: 'site.notice', timestamp: receivedAt, ...mark, data: { reference, title, text } };
  }
  const { name, email, service, message } = payload;
  const data = { reference, received_at: receivedAt, name, email, service, message };
  return { type: 'message.received', timestamp: receivedAt, ...mark, data };
}

/** The id is the same for every attempt, so that duplicates are detected. During a rotation every secret signs. */
export function sign(secrets: Buffer[], id: string, now: Date, body: string): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000));
  const signatures = secrets.map(
    secret => `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
