import { expect, test } from 'vitest';
import { hydrated, visitSite, wake, withMotion } from '../harness/page.ts';

const visit = visitSite(withMotion);
const shown = '[data-theme=mint] dd span[aria-hidden]';
const readOut = '[data-theme=mint] dd .sr-only';

test('the counters count up once in view, with ease-out, and screen readers get the final number', async () => {
  const { page } = visit;
  const counters = () => page.locator(shown).allTextContents();
  await page.clock.install();
  await visit.go('/');
  const final = await counters();
  expect(final.map(Number).every(value => value > 0)).toBe(true);
  await wake(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.locator('#counters').evaluate(element => element.scrollIntoView());
  await expect
    .poll(async () => {
      await page.clock.runFor(20);
      return counters();
    })
    .not.toEqual(final);
  await page.clock.runFor(2000);
  const early = Number((await counters())[0]) / Number(final[0]);
  expect(early).toBeGreaterThan(0.5);
  expect(early).toBeLessThan(1);
  expect(await page.locator(readOut).allTextContents()).toEqual(final);
  // 458 takes 16 seconds, the others 15.
  await page.clock.runFor(12_700);
  expect((await counters()).filter((count, index) => count === final[index])).toEqual([]);
  await page.clock.runFor(500);
  expect((await counters()).map((count, index) => count === final[index])).toEqual([false, true, true]);
  await page.clock.runFor(1000);
  expect(await counters()).toEqual(final);
});

test('counters that were in view before hydration do not restart', async () => {
  const { page } = visit;
  await page.goto('/#counters');
  const final = await page.locator(readOut).allTextContents();
  await hydrated(page);
  await page.waitForTimeout(300);
  expect(await page.locator(shown).allTextContents()).toEqual(final);
});

test('the counters do not animate with prefers-reduced-motion', async () => {
  const page = await visit.open({ reducedMotion: 'reduce' });
  await page.goto('/');
  await page.locator('#counters').evaluate(element => element.scrollIntoView());
  await hydrated(page);
  await page.waitForTimeout(200);
  expect(await page.locator(shown).allTextContents()).toEqual(await page.locator(readOut).allTextContents());
});
