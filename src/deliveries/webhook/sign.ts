import { createHmac } from 'node:crypto';

/**
 * The headers of Standard Webhooks. The id is the same for every attempt, so that a receiver can tell a repeat; the time is
 * that of the attempt. Each secret signs: while one is being changed, either proves that the call is ours.
 */
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
