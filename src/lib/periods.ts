/** '90 days', '2 years': whole years are said as such. */
export function writePeriod(days: number): string {
  const [number, noun] = days % 365 === 0 ? [days / 365, 'year'] : [days, 'day'];
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
