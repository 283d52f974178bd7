import blog from 'content:blog';

/** Made once: to make it takes longer than to write a day. */
const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** '2 November 2026' */
export function longDay(day: string): string {
  return days.format(new Date(`${day}T00:00:00Z`));
}

/** '4 min read' */
export function readingTime(minutes: number): string {
  return blog.post.minutes.replace('{number}', String(minutes));
}
