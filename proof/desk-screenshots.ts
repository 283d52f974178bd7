import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createSmtpServer } from '../tests/fakes/smtp-server.ts';
import { launchBrowser } from '../tests/harness/browser.ts';
import { startDesk } from '../tests/harness/desk.ts';
import { createSampleViews, openView } from '../tests/harness/desk-views.ts';
import { root } from '../tests/harness/site.ts';
import { subscriberMailSettings } from '../tests/harness/subscriber-mail.ts';

/** `npm run proof -- desk-screenshots [VIEW]` writes views of the desk at three widths to screenshots/desk/. */
const only = process.argv[2] ?? '';
const folder = join(root, 'screenshots/desk');
mkdirSync(folder, { recursive: true });
await using smtp = await createSmtpServer();
await using desk = await startDesk(subscriberMailSettings(smtp));
await using browser = await launchBrowser();
const page = await desk.openPage(browser, { reducedMotion: 'reduce' });
for (const [name, view] of Object.entries(await createSampleViews(desk))) {
  if (!name.includes(only)) continue;
  await openView(page, view);
  for (const width of [390, 768, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(folder, `${name.replace('/', '-')}-${width}.png`), fullPage: true });
  }
}
process.stdout.write(`${folder}\n`);
