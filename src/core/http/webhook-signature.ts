import { createHmac, timingSafeEqual } from 'node:crypto';

/** Against replay, and tolerant of clock skew. */
const validForSeconds = 5 * 60;
const maxSignatures = 10;

/** Standard Webhooks (www.standardwebhooks.com), with its own header names or those of Svix. */
export function verifyWebhookSignature(
  headers: Headers,
  body: string,
  { secrets, now }: { secrets: readonly Buffer[]; now: Date },
): boolean {
  const read = (name: string) => headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`) ?? '';
  const [id, timestamp] = [read('id'), read('timestamp')];
  if (!id || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > validForSeconds) return false;
  const received = read('signature')
    .split(' ')
    .slice(0, maxSignatures)
    .filter(one => one.startsWith('v1,'))
    .map(one => Buffer.from(one.slice(3), 'base64'));
  const expected = secrets.map(secret =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest(),
  );
  // Every pair is compared, so that timing does not reveal which one matches.
  const matches = received.flatMap(one =>
    expected.map(other => one.length === other.length && timingSafeEqual(one, other)),
  );
  return matches.includes(true);
}
