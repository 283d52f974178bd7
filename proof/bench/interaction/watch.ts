export type Seen = {
  interactions: { name: string; duration: number; delay: number }[];
  /** How far the page's script had come when it was touched. */
  state: string;
  clicked: number;
  painted: number;
};

export const nothing: Seen = { interactions: [], state: '', clicked: 0, painted: 0 };

/** Kept for the tab: a form that is sent without React takes the page with it. */
export const seenKey = 'bench-seen';

const forgetEvent = 'bench-forget';
/** What was done before the press that is measured is left aside. */
export const forget = `dispatchEvent(new Event('${forgetEvent}'))`;

/** Runs in the page: records each interaction, and the first frame after a click that shows another heading. */
export const watch = `(() => {
  const seen = ${JSON.stringify(nothing)};
  const keep = () => sessionStorage.setItem('${seenKey}', JSON.stringify(seen));
  const note = list => {
    for (const { name, interactionId, startTime, processingStart, duration } of list.getEntries())
      if (interactionId) seen.interactions.push({ name, duration, delay: processingStart - startTime });
    if (seen.interactions.length > 0) keep();
  };
  new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16, buffered: true });
  addEventListener('${forgetEvent}', () => {
    seen.interactions.length = 0;
  });
  addEventListener('pointerdown', () => {
    seen.state = document.documentElement.dataset.script;
  }, true);

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
