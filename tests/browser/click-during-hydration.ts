import type { Page } from 'playwright-core';

/** Clicks when React has attached its listeners but not rendered yet. */
export function clickDuringHydration(page: Page, selector: string): Promise<void> {
  return page.evaluate(selector => {
    const root = document.getElementById('root') as HTMLElement;
    const listen = root.addEventListener;
    root.addEventListener = ((...args: Parameters<typeof listen>) => {
      root.addEventListener = listen;
      listen.apply(root, args);
      queueMicrotask(() => document.querySelector<HTMLElement>(selector)?.click());
    }) as typeof listen;
  }, selector);
}
