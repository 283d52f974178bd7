export function formatPeriod(days: number): string {
  const [number, noun] = days % 365 === 0 ? [days / 365, 'year'] : [days, 'day'];
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

export function formatRetention(days: number): string {
  return days === 0 ? 'until it is no longer needed' : formatPeriod(days);
}
