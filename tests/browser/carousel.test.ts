import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { delayChunks, visitSite, wake, withMotion } from '../harness/page.ts';

// A low window, because animating fewer pixels is faster.
const visit = visitSite({ ...withMotion, viewport: { width: 1100, height: 640 } });
const phone = { viewport: { width: 390, height: 800 } };
const count = 5;

/** Each layout at its smallest and largest width. */
const layouts = [
  { widths: [320, 639], slides: 1, gap: 50 },
  { widths: [640, 767], slides: 2, gap: 20 },
  { widths: [768, 1023], slides: 1, gap: 40 },
  { widths: [1024, 1440], slides: 3, gap: 50 },
];

test('without JavaScript every width shows the right number of slides, up to the last', async () => {
  const page = await visit.open({ reducedMotion: 'reduce', javaScriptEnabled: false });
  await page.goto('/');
  const names = await slideNames(page);
  for (const { slides, ...layout } of layouts)
    for (const width of layout.widths) {
      await scrollRow(page, 0);
      await expectLayout(page, width, layout.gap, names.slice(0, slides));
      await scrollRow(page, 10_000);
      await expectLayout(page, width, layout.gap, names.slice(-slides));
    }
});

test('every width shows the right number of slides, also across the loop and after a resize', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  for (const turns of [0, 4]) {
    for (let turn = 0; turn < turns; turn++) await button(page, 'Next').click();
    for (const { widths, slides, gap } of layouts)
      for (const width of widths)
        await expectLayout(page, width, gap, [...names, ...names].slice(turns, turns + slides));
  }
});

async function expectLayout(page: Page, width: number, gap: number, names: string[]): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await expect.poll(() => visibleSlideNames(page), { message: `at ${width} px` }).toEqual(names);
  // Embla measures in whole pixels: a fraction of one may be missing where the loop joins.
  const shown = await visibleSlides(page);
  for (const [index, { left }] of shown.slice(1).entries())
    expect(Math.abs(left - (shown[index]?.right ?? 0) - gap)).toBeLessThan(1);
  const lines = await page
    .locator('.slides p')
    .evaluateAll(all => all.map(p => p.clientHeight / Number.parseFloat(getComputedStyle(p).lineHeight)));
  expect(Math.round(Math.max(...lines))).toBeLessThanOrEqual(2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}

test('the buttons loop in both directions, once per press, however fast', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  await button(page, 'Previous').click();
  await expectRestAt(page, names.at(-1));
  await button(page, 'Next').click();
  await expectRestAt(page, names[0]);
  await button(page, 'Next').evaluate((next: HTMLElement) => {
    for (let press = 0; press < 13; press++) next.click();
  });
  await expectRestAt(page, names[13 % count]);
});

test('hydration keeps the position that the visitor has scrolled to', async () => {
  const { page, names, release } = await scrollBeforeHydration();
  const place = () => slide(page, 2).boundingBox();
  const before = await place();
  release();
  await waitForEmbla(page);
  expect((await place())?.x).toBe(before?.x);
  await expect.poll(() => page.locator('.dot[aria-current]').getAttribute('aria-label')).toContain(names[2]);
});

test('a click before hydration is replayed, at any scroll position', async () => {
  const { page, names, release } = await scrollBeforeHydration();
  await page.locator('.dot').nth(4).click();
  release();
  await expectRestAt(page, names[4]);
});

async function scrollBeforeHydration() {
  const page = await visit.open(phone);
  const release = await delayChunks(page);
  await page.goto('/');
  const names = await slideNames(page);
  await scrollRow(page, 800);
  await expect.poll(() => visibleSlideNames(page)).toEqual([names[2]]);
  return { page, names, release };
}

test('has carousel roles, and turns by arrow keys and dots', async () => {
  const { page } = visit;
  await open(page);
  expect(await page.locator('[aria-roledescription=carousel]').getAttribute('aria-label')).toBe(
    'What we Offer',
  );
  const links = page.getByRole('link', { name: /Learn More/ });
  expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual(
    Array(count).fill('/creator'),
  );

  // Arrow keys turn it, move the focus and announce the slide.
  const names = await slideNames(page);
  await links.first().focus();
  await page.keyboard.press('ArrowLeft');
  await expectRestAt(page, names.at(-1));
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(names.at(-1));
  await page.keyboard.press('ArrowRight');
  await expectRestAt(page, names[0]);
  await expect
    .poll(() => page.locator('[aria-roledescription=carousel] [aria-live]').textContent())
    .toBe(`1 of ${count}: ${names[0]}`);

  // Dots show and select the slide.
  const dots = page.locator('.dot');
  expect(await dots.count()).toBe(count);
  for (const index of [3, 1]) {
    await dots.nth(index).click();
    await expectRestAt(page, names[index]);
    expect(await page.locator('.dot[aria-current]').getAttribute('aria-label')).toContain(names[index]);
  }
});

test('focusing a link scrolls to its slide, unless it is in view', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  const links = page.getByRole('link', { name: /Learn More/ });
  await links.nth(1).focus();
  await page.keyboard.press('Tab');
  await expectRestAt(page, names[0]);
  await page.keyboard.press('Tab');
  await expectRestAt(page, names[3]);
  await links.nth(2).focus();
  await expectRestAt(page, names[2]);
});

test('a mouse drags it by link or text; a double click selects text, and a click follows the link', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  for (const turned of [1, 2, 3, 4, 5, 6]) {
    await dragFrom(page, slide(page, turned % count).locator(turned % 2 ? 'a' : 'h3'));
    expect(await selectedSlideName(page)).toBe('');
    await page.mouse.up();
    await expectRestAt(page, names[turned % count]);
  }
  expect(new URL(page.url()).pathname).toBe('/');

  const { x, y } = await findCentre(slide(page, 1).locator('h3'));
  await page.mouse.click(x - 100, y);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.move(x, y, { steps: 4 });
  await page.mouse.up({ clickCount: 2 });
  expect((await selectedSlideName(page)).trim()).toBe(names[1]);
  await expectRestAt(page, names[1]);
  await slide(page, 1).locator('a').click();
  await page.waitForURL('/creator');
});

test('a touch swipes it', async () => {
  const page = await visit.open({ ...phone, hasTouch: true });
  await page.goto('/');
  await waitForEmbla(page);
  const names = await slideNames(page);
  const { y } = await findCentre(page.locator('.carousel'));
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map(x => ({ x, y })) });
  for (const [way, name] of [
    [25, names.at(-1)],
    [-25, names[0]],
    [-25, names[1]],
  ] as const) {
    await touch('touchStart', 195);
    for (let part = 1; part <= 10; part++) await touch('touchMove', 195 + way * part);
    await touch('touchEnd');
    await expectRestAt(page, name);
  }
});

test('a horizontal swipe on a trackpad turns it once, a vertical one scrolls the page', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  // All events of a swipe at once, so that a slow machine adds no pause between them.
  await page.locator('.carousel').evaluate(carousel => {
    for (const deltaX of [10, 40, 20, 10])
      carousel.dispatchEvent(new WheelEvent('wheel', { deltaX, deltaY: 2, cancelable: true }));
  });
  await expectRestAt(page, names[1]);
  const { x, y } = await findCentre(page.locator('.carousel'));
  await page.mouse.move(x, y);
  await page.mouse.wheel(-40, 2);
  await expectRestAt(page, names[0]);
  const before = await page.evaluate(() => scrollY);
  await page.mouse.wheel(2, 100);
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before + 100);
  expect(await visibleSlideNames(page)).toEqual(names.slice(0, 3));
});

test('turns without animation while motion is paused, also after a drag', async () => {
  const { page } = visit;
  await open(page);
  await page.getByRole('button', { name: 'Pause motion' }).click();
  const names = await slideNames(page);
  await button(page, 'Next').evaluate((next: HTMLElement) => next.click());
  expect(await visibleSlideNames(page)).toEqual(names.slice(1, 4));
  await dragFrom(page, page.locator('.carousel'));
  await page.mouse.up();
  await page.evaluate(() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted))));
  expect(await visibleSlideNames(page)).toEqual(names.slice(2, 5));
});

async function open(page: Page): Promise<void> {
  await visit.go('/');
  await waitForEmbla(page);
}

/** Hydrated, and Embla has started. */
async function waitForEmbla(page: Page): Promise<void> {
  await wake(page);
  await page.locator('[data-embla]').waitFor();
  await page.locator('.carousel').scrollIntoViewIfNeeded();
}

function button(page: Page, name: string): Locator {
  return page.locator('[aria-roledescription=carousel]').getByRole('button', { name, exact: false });
}

function slide(page: Page, index: number): Locator {
  return page.locator('[aria-roledescription=slide]').nth(index);
}

function slideNames(page: Page): Promise<string[]> {
  return page.locator('[aria-roledescription=slide] h3').allTextContents();
}

async function scrollRow(page: Page, left: number): Promise<void> {
  await page.locator('.carousel').evaluate((row, left) => row.scrollTo({ left, behavior: 'instant' }), left);
}

/** Leaves the mouse button down. */
async function dragFrom(page: Page, element: Locator): Promise<void> {
  const { x, y } = await findCentre(element);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 200, y, { steps: 7 });
}

async function findCentre(element: Locator): Promise<{ x: number; y: number }> {
  const box = await element.boundingBox();
  if (!box) throw new Error('it has no box');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function selectedSlideName(page: Page): Promise<string> {
  return page.evaluate(() => String(getSelection()));
}

/** The fully visible slides from left to right, with their distance from the left edge of the carousel. */
function visibleSlides(page: Page): Promise<{ name: string; left: number; right: number }[]> {
  return page.locator('.carousel').evaluate(carousel => {
    const frame = carousel.getBoundingClientRect();
    return [...carousel.querySelectorAll('[aria-roledescription=slide]')]
      .map(slide => {
        const { left, right } = slide.getBoundingClientRect();
        const name = slide.querySelector('h3')?.textContent ?? '';
        return { name, left: left - frame.left, right: right - frame.left };
      })
      .filter(({ left, right }) => left > -1 && right < frame.width + 1)
      .sort((one, other) => one.left - other.left);
  });
}

async function visibleSlideNames(page: Page): Promise<string[]> {
  return (await visibleSlides(page)).map(({ name }) => name);
}

/** Waits until the slide rests at the left edge of the carousel. */
async function expectRestAt(page: Page, name: string | undefined): Promise<void> {
  await expect
    .poll(async () => (await visibleSlides(page)).find(({ left }) => Math.abs(left) < 1)?.name, {
      timeout: 5000,
    })
    .toBe(name);
}
