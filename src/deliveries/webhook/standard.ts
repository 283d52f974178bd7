import { assertForOwner, type Parcel } from '../delivery.ts';

/** For a program: exactly what was stored, with the time of receipt. */
export function standardBody(parcel: Parcel, isPossiblyTwice: boolean) {
  assertForOwner(parcel);
  const { reference, receivedAt } = parcel;
  const mark = isPossiblyTwice ? { possibly_twice: true } : {};
  if (parcel.kind === 'notice') {
    const { title, text } = parcel;
    return { type: 'site.notice', timestamp: receivedAt, ...mark, data: { reference, title, text } };
  }
  const { name, email, service, message } = parcel;
  const data = { reference, received_at: receivedAt, name, email, service, message };
  return { type: 'message.received', timestamp: receivedAt, ...mark, data };
}
