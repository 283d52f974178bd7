/** The samples of a scrape, by name and labels: `requests_total{kind="page"}`. */
export function readMetrics(text: string): Map<string, number> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  return new Map(lines.map(line => [line.replace(/ \S+$/, ''), Number(line.split(' ').at(-1))]));
}
