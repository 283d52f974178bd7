import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { adaptToHosting } from '../../src/content/hosting.ts';
import { plainText } from '../../src/content/prose.ts';
import { readContent } from '../../src/content/read-content.ts';
import { hydrated, visitSite, wake } from '../harness/page.ts';
import { root } from '../harness/site.ts';

const visit = visitSite();
const faq = readFaq();
const questions = faq.groups.flatMap(group =>
  group.questions.map(({ id, question, answer }) => ({
    id,
    group: group.id,
    question,
    answer: plainText(answer.flatMap(node => [node, ' '])),
  })),
);
/** A question far down the page, and another one. */
const [far, other] = [questions.at(-2) as Question, questions.at(2) as Question];

type Question = (typeof questions)[number];

describe("a question's URL", () => {
  test.each([
    ['without JavaScript', { javaScriptEnabled: false }],
    ['on arrival', {}],
    ['on a small screen', { viewport: { width: 390, height: 800 } }],
  ])('opens it, %s', async (_, options) => {
    const page = await visit.open(options);
    await page.goto(`/faq#${far.id}`);
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    expect(await isInView(page, far)).toBe(true);
  });

  test('is a link in its answer', async () => {
    await visit.go('/faq');
    const { page } = visit;
    await wake(page);
    await summary(page, far).click();
    const link = page.getByRole('link', { name: new RegExp(`: ${RegExp.escape(far.question)}$`) });
    expect(await link.getAttribute('href')).toBe(`/faq#${far.id}`);
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await link.click();
    await page.waitForURL(`/faq#${far.id}`);
    expect(await page.locator('details a[href^="/faq#"]').count()).toBe(questions.length);
  });

  test('opens it from another page', async () => {
    const { page } = visit;
    await visit.go('/privacy');
    await wake(page);
    await navigate(page, `/faq#${far.id}`);
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    expect(await isInView(page, far)).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(far.id);
  });

  test('opens it when the fragment changes, and by Back and Forward', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await navigate(page, `/faq#${far.id}`);
    await navigate(page, `/faq#${other.id}`);
    await expect.poll(() => openAnswers(page)).toEqual([other.id, far.id]);
    await closeAll(page);
    await page.goBack();
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    await closeAll(page);
    await page.goForward();
    await expect.poll(() => openAnswers(page)).toEqual([other.id]);
    await closeAll(page);
    // As when a visitor edits the URL: the browser navigates, React follows.
    await page.evaluate(hash => location.assign(hash), `#${far.id}`);
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    expect(await isInView(page, far)).toBe(true);
  });

  test('does not reopen what was closed before hydration', async () => {
    const { page } = visit;
    const release = await holdScripts(page);
    await page.goto(`/faq#${far.id}`);
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    await summary(page, far).click();
    release();
    await hydrated(page);
    await page.waitForTimeout(100);
    expect(await openAnswers(page)).toEqual([]);
  });

  test('is opened by React where the browser cannot', async () => {
    const { page } = visit;
    await page.addInitScript(() => Reflect.deleteProperty(window, 'onbeforematch'));
    const release = await holdScripts(page);
    await page.goto(`/faq#${far.id}`);
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    await closeAll(page);
    await page.evaluate(() => scrollTo(0, 0));
    release();
    await hydrated(page);
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    expect(await isInView(page, far)).toBe(true);
  });
});

test('find-in-page finds the answers: they are closed, not hidden', async () => {
  const page = await visit.open({ javaScriptEnabled: false });
  await page.goto('/faq');
  const answers = page.locator('details > article');
  expect(await answers.count()).toBe(questions.length);
  expect(await answers.filter({ visible: true }).count()).toBe(0);
  const hidden = await answers.evaluateAll(elements =>
    elements.filter(element => element.closest('[hidden]') || getComputedStyle(element).display === 'none'),
  );
  expect(hidden).toEqual([]);
  const texts = (await answers.allTextContents()).map(withoutSpaces);
  const missing = questions.filter(({ answer }, index) => !texts[index]?.startsWith(withoutSpaces(answer)));
  expect(missing).toEqual([]);
});

test('one button opens and closes all answers', async () => {
  const { page } = visit;
  await visit.go('/faq');
  await page.getByRole('button', { name: faq.openAll }).click();
  await expect.poll(() => openAnswers(page)).toHaveLength(questions.length);
  await page.getByRole('button', { name: faq.closeAll }).click();
  await expect.poll(() => openAnswers(page)).toEqual([]);
});

describe('the filter', () => {
  test('is hidden without JavaScript, and takes no space', async () => {
    const page = await visit.open({ javaScriptEnabled: false });
    // A web font that arrives late in one of the two pages would change the positions.
    visit.expectTrouble(/ERR_FAILED/);
    for (const one of [page, visit.page]) await one.route('**/*.woff2', route => route.abort());
    await page.goto('/faq');
    expect(await field(page).isVisible()).toBe(false);
    const top = await page.locator('h2').first().evaluate(readTop);
    await visit.go('/faq');
    expect(await field(visit.page).isVisible()).toBe(true);
    expect(await visit.page.locator('h2').first().evaluate(readTop)).toBe(top);
  });

  test('filters questions and answers by every word, and restores them', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await field(page).pressSequentially(findUniqueWord(far).toUpperCase());
    expect(await visibleQuestions(page)).toEqual([far.id]);
    expect(await page.locator('main section[aria-labelledby]:visible').count()).toBe(1);
    expect(await openAnswers(page)).toEqual([]);
    await field(page).fill('');
    expect(await visibleQuestions(page)).toHaveLength(questions.length);
    expect(await page.locator('main section[aria-labelledby]:visible').count()).toBe(faq.groups.length);

    // Every word must match, in any order, without accents and punctuation.
    const [first = '', second = ''] = [findUniqueWord(far), far.question.split(' ')[0] ?? ''];
    await field(page).fill(`${second}  “${first.replace(/[aeiou]/, '$&\u0301')}”`);
    expect(await visibleQuestions(page)).toEqual([far.id]);
    await field(page).fill(`${first} ${findUniqueWord(other)}`);
    expect(await visibleQuestions(page)).toEqual([]);
    await field(page).fill('');

    // The button clears it and returns the focus.
    const clear = page.getByRole('button', { name: faq.filter.clear, exact: true });
    expect(await clear.count()).toBe(0);
    await field(page).fill('qqqq');
    const box = await clear.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await clear.click();
    expect(await field(page).inputValue()).toBe('');
    expect(await visibleQuestions(page)).toHaveLength(questions.length);
    expect(await field(page).evaluate(element => element === document.activeElement)).toBe(true);
  });

  test('announces the number of results debounced', async () => {
    const { page } = visit;
    await page.clock.install();
    await visit.go('/faq');
    await wake(page);
    // With a fake clock, so that slow typing does not matter.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
    const result = page.locator('search [aria-live=polite]');
    await field(page).pressSequentially(findUniqueWord(far));
    await page.clock.runFor(300);
    expect(await result.textContent()).toBe('');
    await page.clock.runFor(300);
    expect(await result.textContent()).toMatch(new RegExp(`\\b1\\b.*\\b${questions.length}\\b`));
    await field(page).fill('qqqq');
    await page.clock.runFor(600);
    expect(await result.textContent()).toBe(faq.filter.none);
    await field(page).fill('');
    await page.clock.runFor(600);
    expect(await result.textContent()).toBe('');
  });

  test('links to the contact page when nothing matches', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await field(page).fill('qqqq');
    expect(await visibleQuestions(page)).toEqual([]);
    await page.getByText(faq.filter.noneNext).waitFor();
    await page.locator('main').getByRole('link', { name: faq.filter.contact }).click();
    await page.waitForURL('/contact');
  });

  test('uses what was typed before hydration', async () => {
    const { page } = visit;
    const release = await holdScripts(page);
    await visit.go('/faq');
    await field(page).pressSequentially(findUniqueWord(far));
    expect(await visibleQuestions(page)).toHaveLength(questions.length);
    release();
    await hydrated(page);
    await expect.poll(() => visibleQuestions(page)).toEqual([far.id]);
    expect(await field(page).inputValue()).toBe(findUniqueWord(far));
  });

  test('is cleared by a link to a question or group that it hides', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    for (const id of [far.id, far.group]) {
      await field(page).fill(findUniqueWord(other));
      expect(await visibleQuestions(page)).toEqual([other.id]);
      await navigate(page, `/faq#${id}`);
      await expect.poll(() => visibleQuestions(page)).toHaveLength(questions.length);
      expect(await field(page).inputValue()).toBe('');
      const top = await page.locator(`#${id}`).evaluate(element => element.getBoundingClientRect().top);
      expect(top).toBeGreaterThan(90);
      expect(top).toBeLessThan(260);
    }
  });

  test('stays for a link to what it shows', async () => {
    const { page } = visit;
    await visit.go('/faq');
    await wake(page);
    await field(page).fill(findUniqueWord(far));
    await navigate(page, `/faq#${far.id}`);
    await expect.poll(() => openAnswers(page)).toEqual([far.id]);
    expect(await visibleQuestions(page)).toEqual([far.id]);
  });
});

test('filter and answers work with the keyboard alone', async () => {
  const { page } = visit;
  await visit.go('/faq');
  await field(page).focus();
  await hydrated(page);
  await page.keyboard.type(findUniqueWord(far));
  await expect.poll(() => visibleQuestions(page)).toEqual([far.id]);
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe(faq.filter.clear);
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe(faq.openAll);
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe(far.question);
  await page.keyboard.press('Enter');
  expect(await openAnswers(page)).toEqual([far.id]);
  await page.keyboard.press('Space');
  expect(await openAnswers(page)).toEqual([]);
  for (let back = 0; back < 3; back += 1) await page.keyboard.press('Shift+Tab');
  expect(await field(page).evaluate(element => element === document.activeElement)).toBe(true);
  await page.keyboard.press('Escape');
  expect(await field(page).inputValue()).toBe('');
  expect(await visibleQuestions(page)).toHaveLength(questions.length);
});

function readFaq() {
  const { content } = readContent(join(root, 'content'));
  if (!content) throw new Error('content/ holds a mistake');
  return adaptToHosting(content.faq, {});
}

/** Holds all scripts except the boot script until released. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/static\/js\/(?!boot)/, async route => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** A word that only this answer contains. */
function findUniqueWord({ id, answer }: Question): string {
  const others = questions
    .filter(question => question.id !== id)
    .map(question => `${question.question} ${question.answer}`.toLowerCase());
  const words = answer.toLowerCase().match(/\b[a-z]{6,}\b/g) ?? [];
  const rare = words.find(word => others.every(text => !text.includes(word)));
  if (!rare) throw new Error(`The answer to ${id} shares all its words`);
  return rare;
}

function field(page: Page) {
  return page.getByLabel(faq.filter.label);
}

function summary(page: Page, { question }: Question) {
  return page.locator('summary').filter({ hasText: question });
}

function visibleQuestions(page: Page): Promise<string[]> {
  return page
    .locator('main details:visible > article')
    .evaluateAll(elements => elements.map(element => element.id));
}

function openAnswers(page: Page): Promise<string[]> {
  return page
    .locator('main details[open] > article')
    .evaluateAll(elements => elements.map(element => element.id));
}

async function closeAll(page: Page): Promise<void> {
  await page.locator('main details').evaluateAll(elements => {
    for (const element of elements) (element as HTMLDetailsElement).open = false;
  });
}

/** The question is below the header, and the answer starts within the viewport. */
async function isInView(page: Page, { id, question }: Question): Promise<boolean> {
  const [asked, answered] = await Promise.all([
    summary(page, { question } as Question).boundingBox(),
    page.locator(`#${id}`).boundingBox(),
  ]);
  const height = page.viewportSize()?.height ?? 0;
  return (asked?.y ?? 0) >= 72 && (answered?.y ?? height) < height / 2;
}

/** A client-side navigation, like a link of the site. */
async function navigate(page: Page, address: string): Promise<void> {
  await page.evaluate(to => {
    history.pushState({ key: Math.random().toString(36).slice(2) }, '', to);
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }));
  }, address);
}

function focusedText(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent);
}

function readTop(element: Element): number {
  return Math.round(element.getBoundingClientRect().top + scrollY);
}

function withoutSpaces(text: string): string {
  return text.replace(/\s/g, '');
}

test('the button for all answers follows those that are closed one by one', async () => {
  const { page } = visit;
  await visit.go('/faq');
  await wake(page);
  const all = page.locator('search button');
  const before = await all.textContent();
  await all.click();
  await expect.poll(() => all.textContent()).not.toBe(before);
  await page.locator('main details > summary').last().click();
  await expect.poll(() => all.textContent()).toBe(before);
});
