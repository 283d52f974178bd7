import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older or newer calls may be replays. */
const validForSeconds = 5 * 60;
const mostSignatures = 10;

/** Standard Webhooks (www.standardwebhooks.com), with its own header names or those of Svix. */
export function isSignedCall(
  headers: Headers,
  body: string,
  { secrets, now }: { secrets: readonly Buffer[]; now: Date },
): boolean {
  const read = (name: string) => headers.get(`webhook-${name}`) ?? headers.get(`svix-${name}`) ?? '';
  const [id, timestamp] = [read('id'), read('timestamp')];
  if (!id || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > validForSeconds) return false;
  const given = read('signature')
    .split(' ')
    .slice(0, mostSignatures)
    .filter(one => one.startsWith('v1,'))
    .map(one => Buffer.from(one.slice(3), 'base64'));
  const wanted = secrets.map(secret =>
    createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest(),
  );
  // Every pair is compared, so that timing does not reveal which one matches.
  const fits = given.flatMap(one =>
    wanted.map(other => one.length === other.length && timingSafeEqual(one, other)),
  );
  return fits.includes(true);
}
