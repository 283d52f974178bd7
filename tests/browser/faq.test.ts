import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readContent } from '../../src/apps/content.ts';
import { adaptToHosting } from '../../src/core/content/hosting.ts';
import { plainText } from '../../src/core/content/prose.ts';
import { delayChunks, hydrate, visitSite, waitForHydration } from '../harness/page.ts';
import { root } from '../harness/site.ts';

const visit = visitSite();
const { content } = readContent(join(root, 'content'));
if (!content) throw new Error('content/ is invalid');
const faq = adaptToHosting(content.faq, {});
const questions = faq.groups.flatMap(group =>
  group.questions.map(({ id, question, answer }) => ({
    id,
    question,
    answer: plainText(answer.flatMap(node => [node, ' '])),
  })),
);
const field = (page: Page) => page.getByLabel(faq.filter.label);
const visibleQuestions = (page: Page) => listQuestions(page, ':visible');
const openAnswers = (page: Page) => listQuestions(page, '[open]');
/** A question far down the page, and another one. */
const [far, other] = [questions.at(-2) as Question, questions.at(2) as Question];

type Question = (typeof questions)[number];

test('before hydration a URL opens its question, and what was closed or typed since is kept', async () => {
  const { page } = visit;
  await page.setViewportSize({ width: 390, height: 800 });
  const release = await delayChunks(page);
  await visit.open(`/faq#${far.id}`);
  await expect.poll(() => openAnswers(page)).toEqual([far.id]);
  expect(await isInView(page, far)).toBe(true);
  await page.locator('summary').filter({ hasText: far.question }).click();
  await field(page).focus();
  await page.keyboard.type(findUniqueWord(far));
  expect(await visibleQuestions(page)).toHaveLength(questions.length);
  release();
  await waitForHydration(page);
  await expect.poll(() => visibleQuestions(page)).toEqual([far.id]);
  expect(await field(page).inputValue()).toBe(findUniqueWord(far));
  expect(await openAnswers(page)).toEqual([]);

  // With the keyboard alone.
  for (const next of [faq.filter.clear, faq.openAll, far.question]) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(next);
  }
  await page.keyboard.press('Enter');
  expect(await openAnswers(page)).toEqual([far.id]);
  await field(page).press('Escape');
  expect(await field(page).inputValue()).toBe('');
  expect(await visibleQuestions(page)).toHaveLength(questions.length);
});

test("after hydration a question's URL opens it from another page, by Back and Forward, and through the filter", async () => {
  const { page } = visit;
  await visit.open('/privacy');
  await hydrate(page);
  await navigate(page, `/faq#${far.id}`);
  await expect.poll(() => openAnswers(page)).toEqual([far.id]);
  expect(await isInView(page, far)).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.id)).toBe(far.id);
  await navigate(page, `/faq#${other.id}`);
  await expect.poll(() => openAnswers(page)).toEqual([other.id, far.id]);
  await closeAll(page);
  await page.goBack();
  await expect.poll(() => openAnswers(page)).toEqual([far.id]);
  await closeAll(page);
  await page.goForward();
  await expect.poll(() => openAnswers(page)).toEqual([other.id]);
  // As when a visitor edits the URL: the browser navigates, React follows.
  await page.evaluate(hash => location.assign(hash), `#${far.id}`);
  await expect.poll(() => openAnswers(page)).toEqual([other.id, far.id]);

  // The filter stays for what it shows, and is cleared by a link to what it hides.
  await field(page).fill(findUniqueWord(other));
  await navigate(page, `/faq#${other.id}`);
  expect(await visibleQuestions(page)).toEqual([other.id]);
  await navigate(page, `/faq#${far.id}`);
  await expect.poll(() => visibleQuestions(page)).toHaveLength(questions.length);
  expect(await field(page).inputValue()).toBe('');
  expect(await isInView(page, far)).toBe(true);
});

test('the filter shows the questions that contain every word, announces them debounced, and is cleared', async () => {
  const { page } = visit;
  await page.clock.install();
  await visit.open('/faq');
  await hydrate(page);
  // With a fake clock, so that slow typing does not matter.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  const result = page.locator('search [aria-live=polite]');
  await field(page).pressSequentially(findUniqueWord(far).toUpperCase());
  expect(await visibleQuestions(page)).toEqual([far.id]);
  expect(await page.locator('main section[aria-labelledby]:not([data-theme]):visible').count()).toBe(1);
  await page.clock.runFor(300);
  expect(await result.textContent()).toBe('');
  await page.clock.runFor(300);
  expect(await result.textContent()).toMatch(new RegExp(`\\b1\\b.*\\b${questions.length}\\b`));
  await field(page).fill(`${findUniqueWord(far)} ${findUniqueWord(other)}`);
  expect(await visibleQuestions(page)).toEqual([]);
  await page.clock.runFor(600);
  expect(await result.textContent()).toBe(faq.filter.none);
  const contact = page.locator('main').getByRole('link', { name: faq.filter.contact });
  expect(await contact.getAttribute('href')).toBe('/contact');

  // The button clears it and returns the focus.
  const clear = page.getByRole('button', { name: faq.filter.clear, exact: true });
  await clear.click();
  expect(await field(page).inputValue()).toBe('');
  expect(await clear.count()).toBe(0);
  expect(await visibleQuestions(page)).toHaveLength(questions.length);
  expect(await field(page).evaluate(element => element === document.activeElement)).toBe(true);
});

test('one button opens and closes all answers, and all are printed, also closed and filtered-out ones', async () => {
  const { page } = visit;
  await visit.open('/faq');
  await page.getByRole('button', { name: faq.openAll }).click();
  await expect.poll(() => openAnswers(page)).toHaveLength(questions.length);
  await page.locator('main details > summary').last().click();
  await page.getByRole('button', { name: faq.openAll }).click();
  await page.getByRole('button', { name: faq.closeAll }).click();
  await expect.poll(() => openAnswers(page)).toEqual([]);

  await field(page).fill('qqqq');
  await expect.poll(() => visibleQuestions(page)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  const tops = await page
    .locator('main details > [id]:visible')
    .evaluateAll(elements => elements.map(element => element.getBoundingClientRect().top));
  expect(tops).toHaveLength(questions.length);
  // They are stacked vertically.
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
  expect(await page.getByText(faq.filter.noneNext).isVisible()).toBe(false);
});

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

function listQuestions(page: Page, state: string): Promise<string[]> {
  return page
    .locator(`main details${state} > [id]`)
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
    page.locator('summary').filter({ hasText: question }).boundingBox(),
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
