import { expect, vi } from 'vitest';
import type { Driver } from './driver.ts';

export type Visit = ReturnType<typeof createVisit>;

/** A visitor with a mouse and a keyboard, in any browser. Whatever is checked or clicked is waited for. */
export function createVisit(driver: Driver, origin: string) {
  let checks = 0;

  /** Runs a function in the page, which uses nothing of its module but the two functions below. */
  function read<Args extends unknown[], Result>(script: (...args: Args) => Result, ...args: Args) {
    return driver.evaluate<Awaited<Result>>(
      `(() => { ${nameOf} ${findShown} return (${script})(...${JSON.stringify(args)}); })()`,
    );
  }

  async function check(what: string, look: () => unknown, expected: unknown): Promise<void> {
    await expect.poll(look, { message: what }).toEqual(expected);
    checks += 1;
  }

  /** Moves the mouse to the middle of the first visible element that has this text or name. */
  async function pointAt(selector: string, text = ''): Promise<[number, number]> {
    const [x, y] = await vi.waitFor(() => read(locate, selector, text), { timeout: 10_000 });
    await driver.moveMouse(x, y);
    return [x, y];
  }

  async function click(selector: string, text?: string, times = 1): Promise<void> {
    await pointAt(selector, text);
    for (let time = 0; time < times; time += 1) {
      await driver.pressMouse();
      await driver.releaseMouse();
    }
  }

  /** Names or texts of all that the selector finds. */
  const texts = (selector: string) =>
    read(wanted => Array.from(document.querySelectorAll(wanted), nameOf), selector);
  const readValue = (selector: string) =>
    read(wanted => document.querySelector<HTMLInputElement>(wanted)?.value, selector);
  const findWords = (words: string[]) =>
    read(wanted => wanted.filter(text => document.body.innerText.includes(text)), words);

  const expectText = (...words: string[]) => check('what is shown', () => findWords(words), words);

  return {
    ...{ expectText, driver, read, check, pointAt, click, texts, readValue },
    countChecks: () => checks,
    /** Loads a document and hydrates it. */
    async open(path: string): Promise<void> {
      await driver.goto(origin + path);
      const readScript = () => read(() => document.documentElement.dataset.script);
      await vi.waitUntil(readScript, 10_000);
      for (const x of [5, 6]) await driver.moveMouse(x, 300);
      await vi.waitUntil(async () => (await readScript()) === 'react', 10_000);
    },
    /** Texts by the selectors of their fields. */
    async fill(fields: Record<string, string>): Promise<void> {
      for (const [selector, text] of Object.entries(fields)) {
        await click(selector);
        await read(wanted => document.querySelector<HTMLInputElement>(wanted)?.select(), selector);
        await driver.type(text);
      }
    },
    async drag(selector: string, deltaX: number): Promise<void> {
      const [x, y] = await pointAt(selector);
      await driver.pressMouse();
      for (let step = 1; step <= 8; step += 1) await driver.moveMouse(x + (deltaX * step) / 8, y);
      await driver.releaseMouse();
    },
    scrollTo: (top: number) => read(to => scrollTo({ top: to, behavior: 'instant' }), top),
    expectScrollAt: (top: number) => check(`scrolled to ${top}`, () => read(() => Math.round(scrollY)), top),
    /** Clicks on a button or link, which shows these words. */
    async press(selector: string, text: string, ...words: string[]): Promise<void> {
      await click(selector, text);
      await expectText(...words);
    },
    expectNoText: (...words: string[]) => check('what is not shown', () => findWords(words), []),
    expectTexts: (selector: string, expected: (string | undefined)[]) =>
      check(selector, () => texts(selector), expected),
    expectCount: (selector: string, count: number) =>
      check(selector, async () => (await texts(selector)).length, count),
    expectValue: (selector: string, value: string) => check(selector, () => readValue(selector), value),
  };
}

function nameOf(element: Element): string {
  return (element.getAttribute('aria-label') ?? element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

function findShown(selector: string, text: string): Element | undefined {
  return [...document.querySelectorAll(selector)].find(
    element => element.checkVisibility({ visibilityProperty: true }) && (!text || nameOf(element) === text),
  );
}

/** Its middle, once it rests; scrolls there if it is not in view. */
async function locate(selector: string, text: string): Promise<[number, number]> {
  const element = findShown(selector, text);
  if (!element) throw new Error(`There is no ${selector} ${text}`);
  let before: DOMRect;
  let box = element.getBoundingClientRect();
  if (box.top < 0 || box.bottom > innerHeight)
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
  do {
    before = box;
    await new Promise(rested => setTimeout(() => requestAnimationFrame(rested), 100));
    box = element.getBoundingClientRect();
  } while (box.x !== before.x || box.y !== before.y);
  return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
}
