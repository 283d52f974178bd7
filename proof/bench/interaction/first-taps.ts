import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { contactPath } from '../../../src/features/messages/contract.ts';
import { openVisitor, type Visitor } from './visitor.ts';

export const moments = ['before', 'after'] as const;
export type Moment = (typeof moments)[number];
export type FirstTap = { name: string; moment: Moment; inp: number };

const slowdown = 4;
/** Browsers do not report interactions that are quicker. */
const shortest = 16;
/** Until a browser has told of an interaction, however slow it was. */
const reportDelayMs = 1500;

type Target = { name: string; path: string; selector: string; prepare?(visitor: Visitor): Promise<void> };

export const targets: Target[] = [
  { name: 'menu', path: '/', selector: '[popovertarget]' },
  { name: 'carousel', path: '/', selector: '[data-needs-react] button:not(.dot)[data-replay]' },
  { name: 'accordion', path: '/faq', selector: 'details:not([open]) > summary' },
  { name: 'send', path: '/contact', selector: 'form[name=contact] [type=submit]', prepare: holdAnswer },
];

/** The first thing a visitor does on a page: before React is there, which it calls, and after. */
export async function tapFirst(
  browser: Browser,
  origin: string,
  target: Target,
  moment: Moment,
): Promise<FirstTap> {
  await using visitor = await openVisitor(browser, origin, { pointer: 'finger', slowdown });
  await target.prepare?.(visitor);
  await visitor.open(target.path);
  if (moment === 'after') await visitor.wake();
  await visitor.press(target.selector);
  await setTimeout(2 * reportDelayMs);
  const { inp } = await visitor.read();
  return { name: target.name, moment, inp: inp || shortest };
}

/** A post without React leaves the page: it is held until the browser has told how the tap went. */
async function holdAnswer({ page }: Visitor): Promise<void> {
  await page.route(`**${contactPath}`, async route => {
    await setTimeout(reportDelayMs);
    await route.continue();
  });
}
