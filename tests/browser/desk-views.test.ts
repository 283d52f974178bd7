import { expect, test } from 'vitest';
import { createSmtpServer } from '../fakes/smtp-server.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { shareBrowser } from '../harness/browser.ts';
import { startDesk } from '../harness/desk.ts';
import { createSampleViews, openView } from '../harness/desk-views.ts';
import { watchPage } from '../harness/page.ts';
import { subscriberMailSettings } from '../harness/subscriber-mail.ts';
import { findKeyboardProblems } from './keyboard.ts';

/** Everything that can be seen of a view by looking at it; the other tests of the desk look at the states it gets into. */
test('every view fits a phone and a wide window, is accessible, and is reached whole with the keyboard', async () => {
  await using smtp = await createSmtpServer();
  await using desk = await startDesk(subscriberMailSettings(smtp));
  const page = await desk.openPage(await shareBrowser(), { reducedMotion: 'reduce' });
  const problems = watchPage(page, desk.origin);
  // desk-preview.test.ts has the preview: here it would only take time.
  await page.route('**/words/preview', route =>
    route.fulfill({ json: { problems: [], isStale: false, pages: [] } }),
  );
  for (const [name, view] of Object.entries(await createSampleViews(desk))) {
    await page.setViewportSize({ width: 1280, height: 720 });
    await openView(page, view);
    expect(await page.locator('h1:visible').count(), name).toBe(1);
    // This opens what is closed, for what follows.
    expect(await findKeyboardProblems(page), name).toEqual([]);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(width);
    }
    expect(await findAxeViolations(page), name).toEqual([]);
  }
  expect(problems.filter(text => !/status of 404 .*no-such-page/.test(text))).toEqual([]);
}, 120_000);
