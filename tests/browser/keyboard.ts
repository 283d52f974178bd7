import type { Page } from 'playwright-core';

/** Presses Tab, and says what has the focus then: undefined after the last element of the page. */
export async function pressTab(page: Page) {
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    // The button of a date is inside its field, and rings itself.
    const isAgain = element.hasAttribute('data-had-focus');
    element.setAttribute('data-had-focus', '');
    // A control that only screen readers see is shown by its label.
    const shown = element.closest('label') ?? element;
    const box = shown.getBoundingClientRect();
    // Of a high field the upper part counts.
    const [x, y] = [
      box.left + box.width / 2,
      Math.min(box.top + Math.min(box.height / 2, 40), innerHeight - 2),
    ];
    const top = document.elementFromPoint(x, y);
    const isRinged = [element, shown].some(one => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    });
    return {
      name: `${element.tagName} ${element.textContent?.slice(0, 60)} ${element.id} ${element.getAttribute('aria-label')}`,
      isFrame: element.tagName === 'IFRAME',
      isClosed: element.tagName === 'SUMMARY' && !(element.parentElement as HTMLDetailsElement).open,
      isInMain: element.closest('main') !== null,
      isRinged: isRinged || isAgain,
      isInView: box.bottom > 0 && box.top < innerHeight,
      isCovered: !(top && (shown.contains(top) || top.contains(shown))),
    };
  });
}

/**
 * Goes through a loaded page by Tab and opens by Enter what is closed. Lists what a person without a mouse would miss: controls
 * that never get the focus, or get it where it cannot be seen.
 */
export async function findKeyboardProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  for (let presses = 0; presses < 500; presses++) {
    const focus = await pressTab(page);
    if (!focus) return [...problems, ...(await page.evaluate(listMissed))];
    const { name, isFrame, isClosed, isRinged, isInView, isCovered } = focus;
    if (!isRinged && !isFrame) problems.push(`${name} has no focus ring`);
    if (!isInView || isCovered) problems.push(`${name} has the focus where it cannot be seen`);
    if (!isClosed) continue;
    await page.keyboard.press('Enter');
    if (!(await page.evaluate(() => document.activeElement?.closest('details')?.open)))
      problems.push(`${name} does not open`);
  }
  return [...problems, 'Tab does not come to the end of the page'];
}

function listMissed(): string[] {
  const controls = document.querySelectorAll<HTMLElement>(
    'a[href], button, input, select, textarea, summary, iframe, [tabindex="0"]',
  );
  return Array.from(controls)
    .filter(control => control.tabIndex >= 0 && control.checkVisibility({ visibilityProperty: true }))
    .filter(control => !control.matches(':disabled, [data-had-focus]'))
    .filter(control => !isChosenElsewhere(control))
    .map(control => `${control.outerHTML.slice(0, 120)} never has the focus`);

  /** Arrow keys choose among radio buttons: Tab reaches the one that is checked. */
  function isChosenElsewhere(control: HTMLElement): boolean {
    const group = `input[type=radio][name="${control.getAttribute('name')}"]`;
    return control.matches('[type=radio]') && document.querySelector(`${group}[data-had-focus]`) !== null;
  }
}
