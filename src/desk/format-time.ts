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
