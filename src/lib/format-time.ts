/** As it is sent to the browser: formatted on the server, so that both render the same. */
export type Moment = { iso: string; text: string };

const format = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/London',
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});

/** Such as 'Tue 17 Nov, 14:05', with the year if it is another one. */
export function formatMoment(iso: string, now: Date): Moment {
  const parts = Object.fromEntries(
    format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]),
  );
  const { weekday, day, month, year, hour, minute } = parts;
  const isThisYear = year === format.formatToParts(now).find(({ type }) => type === 'year')?.value;
  const date = `${weekday} ${day} ${month}${isThisYear ? '' : ` ${year}`}`;
  return { iso, text: `${date}, ${hour}:${minute}` };
}

const dayFormat = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' });
const hourMs = 60 * 60 * 1000;

/** When a day such as 2026-11-17 begins. In summer that is an hour before midnight in UTC. Undefined for what is no day. */
export function findStartOfDay(day: string): string | undefined {
  const midnight = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(day) : Number.NaN;
  if (Number.isNaN(midnight)) return undefined;
  const inSummer = new Date(midnight - hourMs);
  return (dayFormat.format(inSummer) === day ? inSummer : new Date(midnight)).toISOString();
}
