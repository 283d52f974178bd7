import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { delayChunks, hydrate, visitSite, withMotion } from '../harness/page.ts';
import { readVisibleSlides } from './slides.ts';

// Without motion every turn is instant: one test shows the animation.
const visit = visitSite({ reducedMotion: 'reduce', viewport: { width: 1100, height: 640 } });
const phone = { viewport: { width: 390, height: 800 } };
const count = 5;

/** Each layout at its smallest width, where it is tightest, and the last one at its largest as well. */
const layouts = [
  { width: 320, slides: 1, gap: 50 },
  { width: 640, slides: 2, gap: 20 },
  { width: 768, slides: 1, gap: 40 },
  { width: 1024, slides: 3, gap: 50 },
  { width: 1440, slides: 3, gap: 50 },
];

test('without JavaScript every width shows the right number of slides, up to the last', async () => {
  const page = await visit.newPage({ javaScriptEnabled: false });
  await page.goto('/');
  const names = await slideNames(page);
  for (const { width, slides, gap } of layouts) {
    await scrollRow(page, 0);
    await expectLayout(page, width, gap, names.slice(0, slides));
    await scrollRow(page, 10_000);
    await expectLayout(page, width, gap, names.slice(-slides));
  }
});

test('every width shows the right number of slides across the loop, and paper shows all in order', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  for (let turn = 0; turn < 4; turn++) await button(page, 'Next').click();
  for (const { width, slides, gap } of layouts)
    await expectLayout(page, width, gap, [...names, ...names].slice(4, 4 + slides));

  await page.setViewportSize({ width: 794, height: 1123 });
  // Printing causes no resize event, so Embla's transforms must be overridden.
  const row = page.locator('.slides');
  await expect.poll(() => row.evaluate(slides => slides.style.transform)).not.toBe('');
  await page.emulateMedia({ media: 'print' });
  expect(await row.evaluate(slides => getComputedStyle(slides).transform)).toBe('none');
  const tops = await page.locator('[aria-roledescription=slide]').evaluateAll(all =>
    all
      .map(slide => slide.getBoundingClientRect())
      .filter(({ left, right }) => left >= 0 && right <= innerWidth)
      .map(({ top }) => top),
  );
  expect(tops).toHaveLength(count);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
});

async function expectLayout(page: Page, width: number, gap: number, names: string[]): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  // Embla lays the slides out again a moment after a resize, and in whole pixels: a fraction may be missing in the loop.
  const readLayout = async () => {
    const shown = await page.evaluate(readVisibleSlides);
    const gaps = shown.slice(1).map(({ left }, index) => left - (shown[index]?.right ?? 0));
    return { names: shown.map(({ name }) => name), wrongGaps: gaps.filter(one => Math.abs(one - gap) >= 1) };
  };
  await expect.poll(readLayout, { message: `at ${width} px` }).toEqual({ names, wrongGaps: [] });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
}

test('hydration keeps the position that the visitor has scrolled to', async () => {
  const page = await visit.newPage(phone);
  const release = await delayChunks(page);
  await page.goto('/');
  const names = await slideNames(page);
  await scrollRow(page, 800);
  await expect.poll(() => visibleSlideNames(page)).toEqual([names[2]]);
  const before = await slide(page, 2).boundingBox();
  release();
  await waitForEmbla(page);
  expect((await slide(page, 2).boundingBox())?.x).toBe(before?.x);
  await expect.poll(() => page.locator('.dot[aria-current]').getAttribute('aria-label')).toContain(names[2]);
});

test('buttons, arrow keys, dots, focus and a mouse turn the slides in a loop, and announce them', async () => {
  const { page } = visit;
  await open(page);
  const carousel = page.locator('[aria-roledescription=carousel]');
  expect(await carousel.getAttribute('aria-label')).toBe('What we Offer');
  const names = await slideNames(page);
  await button(page, 'Previous').click();
  await expectRestAt(page, names.at(-1));
  await button(page, 'Next').evaluate((next: HTMLElement) => {
    for (let press = 0; press < 14; press++) next.click();
  });
  await expectRestAt(page, names[13 % count]);

  const links = page.getByRole('link', { name: /Learn More/ });
  await page.locator('.dot').first().click();
  await links.first().focus();
  await page.keyboard.press('ArrowLeft');
  await expectRestAt(page, names.at(-1));
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(names.at(-1));
  await page.keyboard.press('ArrowRight');
  await expectRestAt(page, names[0]);
  await expect.poll(() => carousel.locator('[aria-live]').textContent()).toBe(`1 of ${count}: ${names[0]}`);

  await page.locator('.dot').nth(1).click();
  await expectRestAt(page, names[1]);
  const current = page.locator('.dot[aria-current]');
  await expect.poll(() => current.getAttribute('aria-label')).toContain(names[1]);

  // A window that shrinks for a moment leaves it where it was.
  for (const width of [700, 1100]) await page.setViewportSize({ width, height: 640 });
  await expectRestAt(page, names[1]);

  // A focused link scrolls to its slide, unless that is in view.
  await page.locator('.dot').first().click();
  await links.nth(1).focus();
  await page.keyboard.press('Tab');
  await expectRestAt(page, names[0]);
  await page.keyboard.press('Tab');
  await expectRestAt(page, names[3]);
  // It does so too in the moment after a turn, without waiting for a frame.
  await page.locator('.carousel').evaluate(carousel => {
    carousel.parentElement?.querySelector<HTMLElement>('.dot')?.click();
    carousel.querySelectorAll('a')[3]?.focus();
  });
  await expectRestAt(page, names[3]);

  // The mouse drags it by link or text, and a click follows the link.
  await page.locator('.dot').first().click();
  for (const [turned, part] of [
    [1, 'a'],
    [2, 'h3'],
  ] as const) {
    const box = await slide(page, turned).locator(part).boundingBox();
    const [x, y] = [(box?.x ?? 0) + 20, (box?.y ?? 0) + 10];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 200, y, { steps: 7 });
    expect(await page.evaluate(() => String(getSelection()))).toBe('');
    await page.mouse.up();
    await expectRestAt(page, names[turned]);
  }
  expect(new URL(page.url()).pathname).toBe('/');
  await slide(page, 4).locator('a').click();
  await page.waitForURL('/creator');
});

test('turns are animated, unless motion is paused', async () => {
  const page = await visit.newPage(withMotion);
  await page.goto('/');
  await waitForEmbla(page);
  const names = await slideNames(page);
  const turn = () => button(page, 'Next').evaluate((next: HTMLElement) => next.click());
  await turn();
  expect(await visibleSlideNames(page)).not.toEqual(names.slice(1, 4));
  await expectRestAt(page, names[1]);
  await page.getByRole('contentinfo').getByRole('button', { name: 'Pause motion' }).click();
  await turn();
  expect(await visibleSlideNames(page)).toEqual(names.slice(2, 5));
});

async function open(page: Page): Promise<void> {
  await visit.open('/');
  await waitForEmbla(page);
}

/** Hydrated, and Embla has started. */
async function waitForEmbla(page: Page): Promise<void> {
  await hydrate(page);
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

async function visibleSlideNames(page: Page): Promise<string[]> {
  return (await page.evaluate(readVisibleSlides)).map(({ name }) => name);
}

/** Waits until the slide rests at the left edge of the carousel. */
async function expectRestAt(page: Page, name: string | undefined): Promise<void> {
  await expect
    .poll(async () => (await page.evaluate(readVisibleSlides)).find(({ left }) => Math.abs(left) < 1)?.name)
    .toBe(name);
}
