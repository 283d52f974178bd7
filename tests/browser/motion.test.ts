import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { hydrate, visitSite, waitForIdle, withMotion } from '../harness/page.ts';

const visit = visitSite(withMotion);
const pause = (page: Page) => page.getByRole('contentinfo').getByRole('button', { name: 'Pause motion' });
const isPaused = (page: Page) => pause(page).getAttribute('aria-pressed');
const visibleNumbers = '[data-theme=mint] dd span[aria-hidden]';
const readNumbers = '[data-theme=mint] dd .sr-only';
const looping = '.illustration[data-loop]';

test('entrances hide nothing, and are not printed', async () => {
  const { page } = visit;
  // Paused, so that a slow test still finds them.
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      for (const entrance of document.getAnimations()) entrance.pause();
    }),
  );
  await visit.open('/');
  const opacities = await page.evaluate(() =>
    document
      .getAnimations()
      .map(({ effect }) => Number((effect as KeyframeEffect).getKeyframes()[0]?.opacity)),
  );
  expect(opacities.length).toBeGreaterThan(5);
  expect(Math.min(...opacities)).toBe(0.4);
  await page.emulateMedia({ media: 'print' });
  expect(await findTransparentGroups(page)).toEqual([]);
});

test('nothing moves with prefers-reduced-motion', async () => {
  const page = await visit.newPage({ reducedMotion: 'reduce' });
  await page.goto('/');
  await hydrate(page);
  for (const id of ['#offer', '#counters']) {
    await page.locator(id).evaluate(heading => heading.scrollIntoView());
    expect(await findTransparentGroups(page)).toEqual([]);
    expect(await countRunningAnimations(page)).toBe(0);
  }
  await waitForIdle(page);
  const final = await page.locator(readNumbers).allTextContents();
  expect(await page.locator(visibleNumbers).allTextContents()).toEqual(final);
});

test('one illustration in view at a time is animated, none on a phone, and Back to top scrolls up', async () => {
  const { page } = visit;
  await page.clock.install();
  await visit.open('/');
  const illustrations = page.locator('.illustration');
  await page.clock.fastForward(1200);
  await expect.poll(() => illustrations.first().getAttribute('data-loop')).toBe('');
  expect(await countRunningAnimations(page)).toBeGreaterThan(0);
  await illustrations.last().evaluate(illustration => illustration.scrollIntoView());
  await expect.poll(() => illustrations.first().getAttribute('data-loop')).toBeNull();
  expect(await page.locator(looping).count()).toBe(1);
  await page.getByRole('link', { name: 'Back to top' }).press('Enter');
  await expect.poll(() => page.evaluate(() => [scrollY, document.activeElement?.id])).toEqual([0, 'top']);

  const phone = await visit.newPage({ hasTouch: true, isMobile: true });
  await phone.clock.install();
  await phone.goto('/');
  await phone.locator('html[data-script]').waitFor();
  await phone.clock.runFor(1500);
  expect(await phone.locator(looping).count()).toBe(0);
});

test('pause motion stops all motion, before hydration and by keyboard, and is kept for the session', async () => {
  const { page } = visit;
  const numbers = page.locator(visibleNumbers);
  await page.route('**/main-*.js', route => route.abort());
  visit.allowErrors(/Failed to load resource|net::ERR/);
  await visit.open('/');
  const final = await numbers.allTextContents();
  await page.locator(looping).waitFor();
  await pause(page).press('Enter');
  expect(await isPaused(page)).toBe('true');
  expect(await countRunningAnimations(page)).toBe(0);
  expect(await findTransparentGroups(page)).toEqual([]);
  await page.unroute('**/main-*.js');

  await page.reload();
  await hydrate(page);
  expect(await isPaused(page)).toBe('true');
  expect(await countRunningAnimations(page)).toBe(0);
  await pause(page).press('Space');
  expect(await isPaused(page)).toBe('false');
  await expect.poll(() => countRunningAnimations(page)).toBeGreaterThan(0);

  await page.reload();
  await hydrate(page);
  expect(await isPaused(page)).toBe('false');
  await page.locator('#counters').evaluate(heading => heading.scrollIntoView());
  await expect.poll(() => numbers.allTextContents()).not.toEqual(final);
  await pause(page).click();
  // Counters are set to their final number.
  expect(await numbers.allTextContents()).toEqual(final);
  await waitForIdle(page);
  expect(await numbers.allTextContents()).toEqual(final);
  await page.getByRole('link', { name: 'services', exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name: /Our Services/ }).waitFor();
  expect(await isPaused(page)).toBe('true');
  expect(await countRunningAnimations(page)).toBe(0);
});

test('the counters count up once in view, with ease-out, and screen readers get the final number', async () => {
  const { page } = visit;
  const counters = () => page.locator(visibleNumbers).allTextContents();
  await page.clock.install();
  await visit.open('/');
  const final = await counters();
  expect(final.map(Number).every(value => value > 0)).toBe(true);
  await hydrate(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.locator('#counters').evaluate(element => element.scrollIntoView());
  await expect
    .poll(async () => {
      await page.clock.runFor(20);
      const [first] = await counters();
      return first !== '0' && first !== final[0];
    })
    .toBe(true);
  await page.clock.runFor(2000);
  const early = Number((await counters())[0]) / Number(final[0]);
  expect(early).toBeGreaterThan(0.5);
  expect(early).toBeLessThan(1);
  expect(await page.locator(readNumbers).allTextContents()).toEqual(final);
  await page.clock.runFor(15_000);
  expect(await counters()).toEqual(final);
});

function countRunningAnimations(page: Page): Promise<number> {
  return page.evaluate(
    () => document.getAnimations().filter(animation => animation.playState === 'running').length,
  );
}

/** Groups that are not fully opaque. */
function findTransparentGroups(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('.enter'))
      .filter(element => {
        const { opacity, transform } = getComputedStyle(element);
        return opacity !== '1' || transform !== 'none';
      })
      .map(element => element.textContent?.slice(0, 40) ?? ''),
  );
}
