import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { holdChunks, hydrated, visitSite, wake, withMotion } from '../harness/page.ts';

// Every pixel that glides is painted anew: a low window has fewer of them.
const visit = visitSite({ ...withMotion, viewport: { width: 1100, height: 640 } });
const count = 5;

/** Each layout at both ends of the widths that have it. */
const layouts = [
  { widths: [320, 639], slides: 1, gap: 50 },
  { widths: [640, 767], slides: 2, gap: 20 },
  { widths: [768, 1023], slides: 1, gap: 40 },
  { widths: [1024, 1440], slides: 3, gap: 50 },
];

type Layout = (typeof layouts)[number];

test('without JavaScript, every width shows as many as it should, apart as they should be', async () => {
  const page = await visit.open({ reducedMotion: 'reduce', javaScriptEnabled: false });
  await page.goto('/');
  for (const layout of layouts) await expectLayout(page, layout);
});

test.each(layouts)(
  'at $widths px shows $slides with a gap of $gap, and so after a turn of the screen',
  async layout => {
    const [width = 0] = layout.widths;
    const page = await visit.open({ reducedMotion: 'reduce', viewport: { width, height: 800 } });
    await page.goto('/');
    await openEndless(page);
    await expectLayout(page, layout);
  },
);

async function expectLayout(page: Page, { widths, slides, gap }: Layout): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => inView(page), { message: `at ${width} px` }).toHaveLength(slides);
    expect(await measureGaps(page)).toEqual([gap]);
    expect(Math.max(...(await countLines(page)))).toBeLessThanOrEqual(2);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
}

test('is endless in both directions, by button, and turns as often as it is pressed, however fast', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  for (let turn = 1; turn <= count + 1; turn++) {
    await button(page, 'Next').click();
    await comesToRestAt(page, names[turn % count]);
  }
  for (let turn = count; turn >= -1; turn--) {
    await button(page, 'Previous').click();
    await comesToRestAt(page, names.at(turn % count));
  }
  await button(page, 'Next').evaluate((next: HTMLElement) => {
    for (let press = 0; press < 13; press++) next.click();
  });
  await comesToRestAt(page, names[12 % count]);
});

test('a press before React is there is not lost', async () => {
  const { page } = visit;
  await visit.go('/');
  await button(page, 'Next').click();
  await hydrated(page);
  const names = await slideNames(page);
  await comesToRestAt(page, names[1]);
});

test('goes on from where a visitor had scrolled before React came', async () => {
  const page = await visit.open({ viewport: { width: 390, height: 800 } });
  await page.goto('/');
  const held = Promise.withResolvers<void>();
  await page.route('**/main-*.js', async route => {
    await held.promise;
    await route.continue();
  });
  const names = await slideNames(page);
  await page
    .locator('.slides')
    .evaluate(row => row.scrollTo({ left: row.clientWidth * 2.1, behavior: 'instant' }));
  held.resolve();
  await openEndless(page);
  await comesToRestAt(page, names[2]);
});

test('leads to the dot that was pressed before React came, wherever the row stood', async () => {
  const page = await visit.open({ viewport: { width: 390, height: 800 } });
  const release = await holdChunks(page);
  await page.goto('/');
  const names = await slideNames(page);
  await page
    .locator('.slides')
    .evaluate(row => row.scrollTo({ left: row.clientWidth * 2.1, behavior: 'instant' }));
  await page.locator('.dot').nth(4).click();
  release();
  await comesToRestAt(page, names[4]);
});

test('is told as a carousel whose slides are told once, and turned by arrow keys and dots', async () => {
  const { page } = visit;
  await open(page);
  expect(await page.locator('[aria-roledescription=carousel]').getAttribute('aria-label')).toBe(
    'What we Offer',
  );
  const links = page.getByRole('link', { name: /Learn More/ });
  expect(await links.count()).toBe(count);
  expect(await links.evaluateAll(all => all.map(link => link.getAttribute('href')))).toEqual(
    Array(count).fill('/creator'),
  );
  // Copies can be clicked but not reached by keyboard.
  expect(
    await page
      .locator('.slides > [aria-hidden] a')
      .evaluateAll(all => all.every(link => (link as HTMLElement).tabIndex === -1)),
  ).toBe(true);

  // Arrow keys turn it, take the reader along and say where they are.
  const names = await slideNames(page);
  await page.getByRole('link', { name: new RegExp(`Learn More.*${names[0]}`) }).focus();
  await page.keyboard.press('ArrowLeft');
  await comesToRestAt(page, names.at(-1));
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(names.at(-1));
  await page.keyboard.press('ArrowRight');
  await comesToRestAt(page, names[0]);
  await expect
    .poll(() => page.locator('[aria-roledescription=carousel] [aria-live]').textContent())
    .toBe(`1 of ${count}: ${names[0]}`);

  // Dots show and choose the place.
  const dots = page.locator('.dot');
  expect(await dots.count()).toBe(count);
  for (const index of [3, 1]) {
    await dots.nth(index).click();
    await comesToRestAt(page, names[index]);
    expect(await page.locator('.dot[aria-current]').getAttribute('aria-label')).toContain(names[index]);
  }
});

test('a mouse can drag it, and the click that ends a drag opens nothing', async () => {
  const { page } = visit;
  await open(page);
  const names = await slideNames(page);
  for (const turned of [1, 2, 3, 4, 5, 6]) {
    const box = await page.locator('.slides').boundingBox();
    if (!box) throw new Error('the row has no box');
    const [x, y] = [box.x + box.width * 0.6, box.y + box.height * 0.3];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x - 60, y, { steps: 3 });
    await page.mouse.move(x - 200, y, { steps: 4 });
    await page.mouse.up();
    await comesToRestAt(page, names[turned % count]);
  }
  expect(new URL(page.url()).pathname).toBe('/');

  // A button that is let go elsewhere has let the row go.
  const box = await page.locator('.slides').boundingBox();
  if (!box) throw new Error('the row has no box');
  await page.mouse.move(box.x + 300, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y - 60);
  await page.mouse.up();
  const place = () => page.locator('.slides').evaluate(row => row.scrollLeft);
  const before = await place();
  await page.mouse.move(box.x + 300, box.y + 30);
  await page.mouse.move(box.x + 100, box.y + 30, { steps: 4 });
  expect(await place()).toBe(before);
});

test('a finger can swipe it', async () => {
  const page = await visit.open({ viewport: { width: 390, height: 800 }, hasTouch: true });
  await page.goto('/');
  await openEndless(page);
  const names = await slideNames(page);
  const box = await page.locator('.slides').boundingBox();
  if (!box) throw new Error('the row has no box');
  const session = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map(x => ({ x, y: box.y + 100 })) });
  for (const [way, name] of [
    [25, names.at(-1)],
    [-25, names[0]],
    [-25, names[1]],
  ] as const) {
    await touch('touchStart', 195);
    for (let part = 1; part <= 10; part++) await touch('touchMove', 195 + way * part);
    // The finger rests before it is lifted: how far a fling carries depends on how quick this machine is.
    await page.waitForTimeout(150);
    await touch('touchMove', 195 + way * 10);
    await touch('touchEnd');
    await comesToRestAt(page, name);
  }
});

test('turns without gliding while motion is paused', async () => {
  const { page } = visit;
  await open(page);
  await page.getByRole('button', { name: 'Pause motion' }).click();
  const names = await slideNames(page);
  const glides = await button(page, 'Next').evaluate((next: HTMLElement) => {
    const row = document.querySelector('.slides') as HTMLElement;
    const before = row.scrollLeft;
    next.click();
    return row.scrollLeft === before;
  });
  expect(glides).toBe(false);
  await comesToRestAt(page, names[1]);
});

async function open(page: Page): Promise<void> {
  await visit.go('/');
  await openEndless(page);
}

async function openEndless(page: Page): Promise<void> {
  await wake(page);
  await page.locator('.slides > [aria-hidden]').first().waitFor({ state: 'attached' });
  await page.locator('.slides').scrollIntoViewIfNeeded();
}

function button(page: Page, name: string): Locator {
  return page.locator('[aria-roledescription=carousel]').getByRole('button', { name, exact: false });
}

function slideNames(page: Page): Promise<string[]> {
  return page.locator('[aria-roledescription=slide] h3').allTextContents();
}

/** The names of the slides that can be seen whole, copies included. */
function inView(page: Page): Promise<string[]> {
  return page.locator('.slides').evaluate(row => {
    const frame = row.getBoundingClientRect();
    return Array.from(row.children)
      .filter(slide => {
        const box = slide.getBoundingClientRect();
        return box.left >= frame.left - 1 && box.right <= frame.right + 1;
      })
      .map(slide => slide.querySelector('h3')?.textContent ?? '');
  });
}

/** A slide is the first in view, and it is the slide itself and not a copy. */
async function comesToRestAt(page: Page, name: string | undefined): Promise<void> {
  const resting = () =>
    page.locator('.slides').evaluate(row => {
      const from = row.getBoundingClientRect().left;
      const slides = Array.from(row.children);
      const first = slides.find(slide => Math.abs(slide.getBoundingClientRect().left - from - 6) < 2);
      return first?.hasAttribute('aria-hidden') ? 'a copy' : first?.querySelector('h3')?.textContent;
    });
  await expect.poll(resting, { timeout: 5000 }).toBe(name);
}

/** How many lines the words of each card take. */
function countLines(page: Page): Promise<number[]> {
  return page
    .locator('.slides p')
    .evaluateAll(all =>
      all.map(words =>
        Math.round(words.clientHeight / Number.parseFloat(getComputedStyle(words).lineHeight)),
      ),
    );
}

/** The different distances between neighbours. */
function measureGaps(page: Page): Promise<number[]> {
  return page.locator('.slides').evaluate(row => {
    const boxes = Array.from(row.children, slide => slide.getBoundingClientRect());
    const gaps = boxes.slice(1).map((box, index) => Math.round(box.left - (boxes[index]?.right ?? 0)));
    return [...new Set(gaps)];
  });
}
