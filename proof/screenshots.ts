import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newsletterPaths } from '../src/features/newsletter/contract.ts';
import { launchBrowser } from '../tests/harness/browser.ts';
import ensureBuild from '../tests/harness/build.setup.ts';
import { root, startSite } from '../tests/harness/site.ts';
import { paths } from '../tests/harness/site-paths.ts';

/** `npm run screenshots` writes every page at three widths to screenshots/; `-- --readme` writes the picture of the README. */
const { values } = parseArgs({ options: { readme: { type: 'boolean', default: false } } });
const folder = values.readme ? join(root, 'docs') : join(root, 'screenshots');
const steps = Object.fromEntries(
  Object.entries(newsletterPaths).map(([name, path]) => [`newsletter-${name}`, path]),
);
const pages = values.readme ? { home: '/' } : { ...paths, ...steps, 'not-found': '/not-here' };
const widths = values.readme ? [1280] : [390, 768, 1440];

// Before Playwright's own, which ends the browser under a page that is being written.
process.once('SIGINT', () => process.exit(130));
mkdirSync(folder, { recursive: true });
await ensureBuild();
await using site = await startSite();
const browser = await launchBrowser();
for (const width of widths) {
  const page = await browser.newPage({ viewport: { width, height: 900 }, reducedMotion: 'reduce' });
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(site.origin + path, { waitUntil: 'networkidle' });
    const file = join(folder, values.readme ? 'home.png' : `${name}-${width}.png`);
    await page.screenshot({ path: file, fullPage: !values.readme });
    process.stdout.write(`${file}\n`);
  }
  await page.close();
}
await browser.close();
