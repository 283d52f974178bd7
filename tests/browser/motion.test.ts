import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hydrated, visitSite, wake, withMotion } from '../harness/page.ts';

const visit = visitSite(withMotion);
const pause = (page: Page) => page.getByRole('button', { name: 'Pause motion' });

describe('entrances', () => {
  test('take 1200 ms, once per section, and hide nothing', async () => {
    const { page } = visit;
    // Paused, so that a slow test still finds them.
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        for (const entrance of document.getAnimations()) entrance.pause();
      }),
    );
    await visit.go('/');
    const entrances = await page.evaluate(() =>
      document.getAnimations().map(({ effect }) => {
        const { target } = effect as KeyframeEffect;
        const [first] = (effect as KeyframeEffect).getKeyframes();
        const section = target?.closest('section, footer');
        return {
          duration: effect?.getTiming().duration,
          delay: effect?.getTiming().delay,
          opacity: Number(first?.opacity),
          isGroup: target?.classList.contains('enter') && section !== undefined,
        };
      }),
    );
    expect(entrances.length).toBeGreaterThan(5);
    for (const entrance of entrances)
      expect(entrance).toEqual({ duration: 1200, delay: 0, opacity: 0.4, isGroup: true });
  });

  test('also run after a client-side navigation', async () => {
    const { page } = visit;
    await visit.go('/');
    await wake(page);
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    const solutions = page.locator('#solutions');
    await solutions.waitFor({ state: 'attached' });
    const names = await solutions.evaluate(heading =>
      heading
        .closest('.enter')
        ?.getAnimations()
        .map(animation => (animation as CSSAnimation).animationName),
    );
    expect(names).toEqual(['enter']);
    await expect.poll(() => findTransparentGroups(page)).toEqual([]);
  });

  test('hide nothing in print', async () => {
    const { page } = visit;
    await visit.go('/');
    await page.emulateMedia({ media: 'print' });
    expect(await findTransparentGroups(page)).toEqual([]);
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

test('nothing moves with prefers-reduced-motion', async () => {
  const page = await visit.open({ reducedMotion: 'reduce' });
  await page.goto('/');
  await wake(page);
  await page.locator('#offer').evaluate(heading => heading.scrollIntoView());
  expect(await findTransparentGroups(page)).toEqual([]);
  expect(await countRunningAnimations(page)).toBe(0);
});

test('one illustration in view at a time is animated, after the page has loaded', async () => {
  const { page } = visit;
  await visit.go('/creator');
  const looping = () =>
    page
      .locator('.illustration')
      .evaluateAll(illustrations =>
        illustrations.flatMap((illustration, index) =>
          illustration.querySelector('.illustration-glow')?.getAnimations().length ? [index] : [],
        ),
      );
  await expect.poll(looping).toEqual([0]);
  const last = page.locator('.illustration').last();
  await last.evaluate(illustration => illustration.scrollIntoView());
  await expect.poll(async () => (await looping()).includes(0)).toBe(false);
  expect((await looping()).length).toBe(1);
});

test('illustrations are not animated on a phone', async () => {
  const page = await visit.open({ ...withMotion, hasTouch: true, isMobile: true });
  await page.goto('/');
  await page.waitForLoadState('load');
  await page.waitForTimeout(1500);
  expect(await page.locator('.illustration[data-loop]').count()).toBe(0);
});

describe('pause motion', () => {
  test('stops all motion, before hydration and by keyboard, and is kept for the session', async () => {
    const { page } = visit;
    await page.route('**/main-*.js', route => route.abort());
    visit.expectTrouble(/Failed to load resource|net::ERR/);
    await visit.go('/');
    await expect.poll(() => page.locator('.illustration[data-loop]').count()).toBe(1);
    await pause(page).focus();
    await page.keyboard.press('Enter');
    expect(await pause(page).getAttribute('aria-pressed')).toBe('true');
    expect(await countRunningAnimations(page)).toBe(0);
    expect(await findTransparentGroups(page)).toEqual([]);
    await page.unroute('**/main-*.js');

    await page.reload();
    await wake(page);
    expect(await pause(page).getAttribute('aria-pressed')).toBe('true');
    await page.getByRole('link', { name: 'services', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: /Our Services/ }).waitFor();
    expect(await pause(page).getAttribute('aria-pressed')).toBe('true');
    expect(await countRunningAnimations(page)).toBe(0);
    expect(await findTransparentGroups(page)).toEqual([]);

    await pause(page).press('Space');
    expect(await pause(page).getAttribute('aria-pressed')).toBe('false');
    await expect.poll(() => countRunningAnimations(page)).toBeGreaterThan(0);
    await page.reload();
    expect(await pause(page).getAttribute('aria-pressed')).toBe('false');
  });

  test('sets counters to their final number', async () => {
    const { page } = visit;
    await visit.go('/');
    const numbers = page.locator('[data-theme=mint] dd span[aria-hidden]');
    const final = await numbers.allTextContents();
    await wake(page);
    await page.locator('#counters').evaluate(heading => heading.scrollIntoView());
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

/** The number of running animations. */
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
