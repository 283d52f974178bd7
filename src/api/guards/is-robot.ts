/** Words by which programs that show pages to nobody name themselves. The phones of one maker end in 'bot' as well. */
const robots =
  /(?<!cu)bot\b|crawl|spider|slurp|headless|lighthouse|pagespeed|inspectiontool|preview|monitor|externalhit|phantom|selenium|puppeteer|playwright|python|curl|wget/i;

/** No person looks at what it asks for, or not yet. Looked at, and forgotten. */
export function isRobot(headers: Headers): boolean {
  const agent = headers.get('user-agent') ?? '';
  return agent === '' || robots.test(agent) || /prefetch|prerender/.test(headers.get('sec-purpose') ?? '');
}
