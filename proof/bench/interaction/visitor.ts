import type { Browser, CDPSession, Page } from 'playwright-core';
import { nothing, type Seen, seenKey, watch } from './watch.ts';

export type Pointer = 'finger' | 'mouse';

export type Visitor = AsyncDisposable & {
  page: Page;
  /** Loads a page and waits until nothing goes on in it. */
  open(path: string): Promise<void>;
  /** Brings an element into view and presses it as soon as it can be seen, as quickly as a finger or a mouse does. */
  press(selector: string): Promise<void>;
  /** Lets React come, by a touch of nothing. */
  wake(): Promise<void>;
  read(): Promise<Seen>;
};

const screens = {
  finger: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  mouse: { viewport: { width: 1280, height: 800 } },
};
/** Between touching and letting go; a mouse also rests on what it is about to click. */
const pressMs = 80;
const hoverMs = 120;

/** A visitor on a CPU that many times slower than this one. */
export async function openVisitor(
  browser: Browser,
  origin: string,
  { pointer, slowdown }: { pointer: Pointer; slowdown: number },
): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: origin, ...screens[pointer] });
  const page = await context.newPage();
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const press = pointer === 'finger' ? tap : click;

  return {
    page,
    async open(path) {
      await page.goto(path, { waitUntil: 'networkidle' });
      await page.locator('html[data-script=boot]').waitFor();
      if (pointer === 'finger') await takeMouseAway(session);
      await page.waitForTimeout(300);
    },
    async press(selector) {
      const { x, y } = await bringIntoView(page, selector);
      await press(session, page, x, y);
    },
    async wake() {
      await page.keyboard.press('Shift');
      await page.locator('html[data-script=react]').waitFor();
      await page.waitForTimeout(500);
    },
    async read() {
      const kept = await page.evaluate<string | null>(`sessionStorage.getItem('${seenKey}')`);
      return kept ? JSON.parse(kept) : nothing;
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** A headless Chromium tells every page of one in its corner, and then of all that passes below it. No phone has any. */
async function takeMouseAway(session: CDPSession): Promise<void> {
  await session.send('Input.dispatchMouseEvent', { type: 'mouseMoved', x: -20, y: -20 });
}

/** The middle of the first match that is visible and painted; of its first line, where it has several. */
async function bringIntoView(page: Page, selector: string): Promise<{ x: number; y: number }> {
  const found = await page.evaluate<{ x: number; y: number } | null>(`(async () => {
    const shown = element => element.getClientRects().length > 0;
    const element = [...document.querySelectorAll(${JSON.stringify(selector)})].find(shown);
    if (!element) return null;
    const { top, bottom } = element.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'center', behavior: 'instant' });
    const frame = () => new Promise(painted => requestAnimationFrame(() => setTimeout(painted)));
    await frame();
    await frame();
    const { x, y, width, height } = element.getClientRects()[0];
    return { x: x + width / 2, y: y + height / 2 };
  })()`);
  if (!found) throw new Error(`${page.url()} shows no ${selector}`);
  return found;
}

async function tap(session: CDPSession, page: Page, x: number, y: number): Promise<void> {
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] });
  await page.waitForTimeout(pressMs);
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

async function click(_: CDPSession, page: Page, x: number, y: number): Promise<void> {
  await page.mouse.move(x, y, { steps: 3 });
  await page.waitForTimeout(hoverMs);
  await page.mouse.down();
  await page.waitForTimeout(pressMs);
  await page.mouse.up();
}
