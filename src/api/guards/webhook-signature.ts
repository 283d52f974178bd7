import { createHmac, timingSafeEqual } from 'node:crypto';

/** Older or newer than this, a call is taken for one that was recorded and is played again. */
const validForSeconds = 5 * 60;
/** While secrets are changed a call carries a few; nobody has this many. */
const mostSignatures = 10;

/**
 * Whether a call was signed with one of the secrets as Standard Webhooks has it (www.standardwebhooks.com), under its
 * own names of the headers or under those of Svix.
 */
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
  // Each is compared with each, so that the time taken says nothing about which one fits.
  const fits = given.flatMap(one =>
    wanted.map(other => one.length === other.length && timingSafeEqual(one, other)),
  );
  return fits.includes(true);
}
