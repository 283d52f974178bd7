import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hydrated, layOutAll, visitSite, wake, withMotion } from '../harness/page.ts';

const visit = visitSite(withMotion);
const pause = (page: Page) => page.getByRole('button', { name: 'Pause motion' });

describe('entrances', () => {
  test('last 1200 ms, start within 150 ms of each other, and hide nothing that is in view', async () => {
    const { page } = visit;
    // Whoever is slow to look must still find them.
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        for (const entrance of document.getAnimations()) entrance.pause();
      }),
    );
    await visit.go('/');
    const opening = await page.locator('.hero .enter').evaluateAll(groups =>
      groups.map(group =>
        Array.from(group.children, child => {
          const effect = child.getAnimations()[0]?.effect as KeyframeEffect;
          const { duration, delay } = effect.getTiming();
          const [first] = effect.getKeyframes();
          return { tag: child.tagName, duration, delay: Number(delay), opacity: Number(first?.opacity ?? 1) };
        }),
      ),
    );
    expect(opening.flat().every(({ duration }) => duration === 1200)).toBe(true);
    for (const group of opening)
      expect(Math.max(...group.map(({ delay }) => delay))).toBeLessThanOrEqual(150);
    expect(opening.flat().every(({ opacity }) => opacity >= 0.4)).toBe(true);
    expect(opening.flat().filter(({ opacity }) => opacity === 1)).toMatchObject([
      { tag: 'H1', delay: 0 },
      { tag: 'P', delay: 0 },
    ]);
  });

  test('wait below the fold until they are scrolled to, and run by the page’s own clock', async () => {
    const { page } = visit;
    await visit.go('/');
    const opacity = () =>
      page.locator('#sample').evaluate(heading => getComputedStyle(heading.parentElement as Element).opacity);
    await expect.poll(opacity, { timeout: 10_000 }).toBe('0');
    const run = await page.locator('#sample').evaluate(async heading => {
      heading.scrollIntoView({ behavior: 'instant' });
      const group = heading.closest('.enter') as Element;
      while (group.getAttribute('data-held') === 'back') await new Promise(requestAnimationFrame);
      const animations = Array.from(group.children, child => child.getAnimations().at(-1) as Animation);
      await Promise.all(animations.map(animation => animation.finished));
      const starts = animations.map(({ startTime }) => Number(startTime));
      const ends = animations.map(({ effect }) => Number(effect?.getComputedTiming().endTime));
      const delays = animations.map(({ effect }) => Number(effect?.getComputedTiming().delay));
      const now = Number(document.timeline.currentTime);
      return {
        spread: Math.max(...starts.map((start, index) => start + (delays[index] ?? 0))) - Math.min(...starts),
        lasts: ends.map((end, index) => end - (delays[index] ?? 0)),
        took: now - Math.min(...starts),
      };
    });
    expect(run.lasts.every(lasts => lasts === 1200)).toBe(true);
    expect(run.spread).toBeLessThanOrEqual(150);
    expect(run.took).toBeGreaterThanOrEqual(1200);
    expect(await opacity()).toBe('1');
  });

  test('come with a page that is reached without a document, too', async () => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    const solutions = page.locator('#solutions');
    await solutions.waitFor({ state: 'attached' });
    const opacity = () =>
      solutions.evaluate(heading => getComputedStyle(heading.closest('.enter > *') as Element).opacity);
    await expect.poll(opacity, { timeout: 10_000 }).toBe('0');
    await solutions.evaluate(heading => heading.scrollIntoView());
    await expect.poll(opacity, { timeout: 5000 }).toBe('1');
  });

  test('hide nothing in print', async () => {
    const { page } = visit;
    await visit.go('/');
    expect(await hiddenGroups(page)).not.toEqual([]);
    await page.emulateMedia({ media: 'print' });
    expect(await hiddenGroups(page)).toEqual([]);
  });

  test('hide nothing without JavaScript', async () => {
    const page = await visit.open({ javaScriptEnabled: false });
    await page.goto('/');
    await layOutAll(page);
    await expect.poll(() => hiddenGroups(page), { timeout: 10_000 }).toEqual([]);
  });

  test.each(['/', '/creator', '/faq'])('move nothing else on %s', async path => {
    const { page } = visit;
    await page.addInitScript(() => {
      const page = globalThis as unknown as { shifted: number };
      page.shifted = 0;
      new PerformanceObserver(list => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) page.shifted += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await visit.go(path);
    await page.evaluate(async () => {
      for (let y = 0; y < document.body.scrollHeight; y += 400) {
        scrollTo(0, y);
        await new Promise(done => setTimeout(done, 30));
      }
    });
    await hydrated(page);
    await page.waitForTimeout(300);
    expect(await page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted)).toBeLessThan(
      0.001,
    );
  });
});

test('nothing moves for a visitor who wants no motion', async () => {
  const page = await visit.open({ reducedMotion: 'reduce' });
  await page.goto('/');
  await wake(page);
  await page.locator('#offer').evaluate(heading => heading.scrollIntoView());
  expect(await hiddenGroups(page)).toEqual([]);
  expect(await moving(page)).toBe(0);
});

test('pictures move while they are in sight, and rest while they are not', async () => {
  const { page } = visit;
  await visit.go('/');
  const shield = page.locator('.hero .art');
  const states = () =>
    shield.evaluate(art =>
      Array.from(art.children).flatMap(layer => layer.getAnimations().map(({ playState }) => playState)),
    );
  await expect.poll(states).toEqual(['running', 'running']);
  await page.locator('#counters').evaluate(heading => heading.scrollIntoView());
  await expect.poll(states).toEqual(['paused', 'paused']);
  await page.locator('h1').evaluate(heading => heading.scrollIntoView());
  await expect.poll(states).toEqual(['running', 'running']);
});

describe('pause motion', () => {
  test('stops all that moves, before React and by keyboard, and is remembered for the visit', async () => {
    const { page } = visit;
    await page.route('**/main-*.js', route => route.abort());
    visit.expectTrouble(/Failed to load resource|net::ERR/);
    await visit.go('/');
    await page.waitForTimeout(1400);
    expect(await moving(page)).toBeGreaterThan(0);
    await pause(page).focus();
    await page.keyboard.press('Enter');
    expect(await pause(page).getAttribute('aria-pressed')).toBe('true');
    expect(await moving(page)).toBe(0);
    expect(await hiddenGroups(page)).toEqual([]);
    await page.unroute('**/main-*.js');

    await page.reload();
    await wake(page);
    expect(await pause(page).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: /Our Services/ }).waitFor();
    expect(await pause(page).getAttribute('aria-pressed')).toBe('true');
    expect(await moving(page)).toBe(0);
    expect(await hiddenGroups(page)).toEqual([]);

    await pause(page).press('Space');
    expect(await pause(page).getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => moving(page)).toBeGreaterThan(0);
    await page.reload();
    expect(await pause(page).getAttribute('aria-pressed')).toBe('false');
  });

  test('brings counters to their end', async () => {
    const { page } = visit;
    await visit.go('/');
    const numbers = page.locator('[data-world=mint] dd span[aria-hidden]');
    const final = await numbers.allTextContents();
    await page.locator('#counters').evaluate(heading => heading.scrollIntoView());
    await hydrated(page);
    await expect.poll(() => numbers.allTextContents()).not.toEqual(final);
    await pause(page).click();
    expect(await numbers.allTextContents()).toEqual(final);
    await page.waitForTimeout(100);
    expect(await numbers.allTextContents()).toEqual(final);
  });

  test('works where storage is denied', async () => {
    const { page } = visit;
    await page.addInitScript(() => {
      Object.defineProperty(globalThis, 'sessionStorage', {
        get() {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    });
    await visit.go('/');
    await pause(page).click();
    expect(await pause(page).getAttribute('aria-pressed')).toBe('true');
  });
});

/** What a page's own script would see: how many animations are running. */
function moving(page: Page): Promise<number> {
  return page.evaluate(
    () => document.getAnimations().filter(animation => animation.playState === 'running').length,
  );
}

/** Headings inside groups that cannot be seen. */
function hiddenGroups(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    Array.from(document.querySelectorAll('.enter > *'))
      .filter(element => {
        const { opacity, transform } = getComputedStyle(element);
        return opacity !== '1' || transform !== 'none';
      })
      .map(element => element.textContent?.slice(0, 40) ?? ''),
  );
}
