import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

export type Seen = {
  /** Of the page so far, by web-vitals. */
  inp: number;
  clicked: number;
  painted: number;
};

export const nothing: Seen = { inp: 0, clicked: 0, painted: 0 };

/** Kept for the tab: a form that is sent without React takes the page with it. */
export const seenKey = 'bench-seen';

const webVitals = resolve(import.meta.dirname, '../../node_modules/web-vitals/dist/web-vitals.iife.js');

/** Runs in the page: records INP, and the first frame after a click that shows another heading. */
export const watch = `(() => {
  ${readFileSync(webVitals, 'utf8')}
  const seen = ${JSON.stringify(nothing)};
  const keep = () => sessionStorage.setItem('${seenKey}', JSON.stringify(seen));
  webVitals.onINP(({ value }) => {
    seen.inp = value;
    keep();
  }, { reportAllChanges: true, durationThreshold: 16 });

  const heading = () => document.querySelector('h1')?.textContent;
  addEventListener('click', event => {
    const before = heading();
    seen.clicked = event.timeStamp;
    seen.painted = 0;
    const watching = new MutationObserver(() => {
      if (!heading() || heading() === before) return;
      watching.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          seen.painted = performance.now();
          keep();
        };
        port2.postMessage(0);
      });
    });
    watching.observe(document, { childList: true, characterData: true, subtree: true });
  }, true);
})()`;
