import { expect, test } from 'vitest';
import { signUpPath } from '../../src/features/newsletter/contract.ts';
import { findAxeViolations } from '../harness/axe.ts';
import { hydrate, visitSite } from '../harness/page.ts';

/** The states that a visitor can bring a page into; every-page.test.ts looks at the pages as they load, and
 * contact-form*.test.ts at the states of a form. */
const visit = visitSite({ reducedMotion: 'reduce', viewport: { width: 390, height: 900 } });

const newsletterForms = 'section:has(form, .carousel), footer';

/** In what the state changes: the rest of the page is as it was loaded. */
async function expectNoViolations(state: string, selector: string): Promise<void> {
  expect(await findAxeViolations(visit.page, { selector }), state).toEqual([]);
}

async function signUpForNewsletter(form: string, address: string): Promise<void> {
  const field = visit.page.locator(`#${form}-newsletter`);
  await field.fill(address);
  await field.press('Enter');
}

test('axe finds no violation in the states of the home page, and forced colours keep marks visible', async () => {
  const { page } = visit;
  visit.allowErrors(/Failed to load resource/);
  await visit.open('/');
  // The skip link.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expectNoViolations('the open menu', 'header');
  await page.keyboard.press('Escape');

  await hydrate(page);
  await page.getByRole('button', { name: 'Next service' }).click();
  await page.getByRole('contentinfo').getByRole('button', { name: 'Pause motion' }).click();
  await signUpForNewsletter('home', 'zoe@nowhere');
  await page.locator('#home-newsletter-error').waitFor();
  await page.route(signUpPath, route => route.fulfill({ status: 503, json: {} }), { times: 1 });
  await signUpForNewsletter('footer', 'zoe@example.com');
  await page.getByText('couldn’t add your address').waitFor();
  await expectNoViolations('refused newsletter forms', newsletterForms);
  for (const form of ['home', 'footer']) await signUpForNewsletter(form, 'zoe@example.com');
  await page.locator('footer').getByText('Check your inbox to confirm').waitFor();
  await expectNoViolations('sent newsletter forms', newsletterForms);

  await page.setViewportSize({ width: 1280, height: 720 });
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme });
    const [ground, dot, edge] = await page.locator('.dot[aria-current]').evaluate(element => {
      const { backgroundColor, borderColor } = getComputedStyle(element, '::after');
      return [getComputedStyle(document.body).backgroundColor, backgroundColor, borderColor];
    });
    expect(dot).toBe(edge);
    expect(dot).not.toBe(ground);
    const contact = page.getByRole('link', { name: 'Contact', exact: true }).first();
    expect(await contact.evaluate(link => getComputedStyle(link).borderTopWidth)).toBe('1px');
  }
});

test('axe finds no violation in an accordion that is opened, then filtered', async () => {
  const { page } = visit;
  await visit.open('/faq');
  await hydrate(page);
  await page.locator('main summary:visible').first().click();
  await expectNoViolations('opened', 'main');
  await page.getByRole('searchbox').fill('zzz');
  await page.locator('main details:has(> [id]):visible').first().waitFor({ state: 'hidden' });
  await expectNoViolations('filtered', 'main');
});
