import {
  type ChunkManifest,
  chunkError,
  chunkManifestId,
  chunkTimeoutMs,
  createChunkLoader,
} from './chunks.ts';
import type { unsentField, unsentPrefix } from './contract.ts';
import type * as Main from './main.tsx';
import { dataset, restoreMotionPause, startMotion, withSessionStorage } from './motion.ts';

/** The only script that a page loads. It hydrates at the first interaction; until then native controls work. */
const chunkManifest: ChunkManifest = JSON.parse(
  document.getElementById(chunkManifestId)?.textContent ?? '{}',
);
const chunkNames = Object.keys(chunkManifest);
const loadChunk = createChunkLoader(chunkManifest);
const interactionEvents = ['pointermove', 'pointerdown', 'click', 'keydown', 'focusin', 'scroll'];
const earlyClicks = new Set<HTMLElement>();

let isHydrating = false;
let hasHydrationBegun = false;
let retryDelayMs = 1000;
let deferredUntil = 0;

// After a reload, Back may lead to a page that React had rendered: before hydration only a reload shows it.
const currentUrl = () => location.pathname + location.search;
const loadedUrl = currentUrl();
addEventListener('popstate', () => {
  if (dataset.script !== 'react' && currentUrl() !== loadedUrl) location.reload();
});

async function hydrate(): Promise<void> {
  if (isHydrating) return;
  isHydrating = true;
  try {
    await waitUntilNotInteracting();
    // Fetched before the import, because browsers may cache a failed import of a shared chunk for ever.
    await Promise.all(chunkNames.map(prefetchChunk));
    await waitUntilNotInteracting();
    const main = (await loadChunk('main')) as typeof Main;
    await main.start({
      loadChunk,
      chunkManifest,
      waitForIdle: waitUntilNotInteracting,
      beforeHydration,
      afterHydration,
    });
    for (const type of [...interactionEvents, 'online']) removeEventListener(type, onInteraction, true);
    visibilityObserver.disconnect();
  } catch (error) {
    // Not reported, because the page works without React: the next interaction after the delay tries again.
    if ((error as Error).name !== 'ChunkError') reportError(error);
    setTimeout(() => {
      isHydrating = hasHydrationBegun;
    }, retryDelayMs);
    retryDelayMs = Math.min(retryDelayMs * 2, 60_000);
  }
}

/** A hidden page paints no frame, hence the timeout. */
function waitForPaint(): Promise<void> {
  return new Promise(painted => {
    requestAnimationFrame(() => setTimeout(painted));
    setTimeout(painted, 1000);
  });
}

async function waitUntilNotInteracting(): Promise<void> {
  do await waitForPaint();
  while (performance.now() < deferredUntil);
}

async function prefetchChunk(name: string): Promise<void> {
  const url = chunkManifest[name] as string;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(chunkTimeoutMs) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    await response.arrayBuffer();
  } catch (cause) {
    throw chunkError(name, cause);
  }
}

function beforeHydration(): void {
  hasHydrationBegun = true;
}

function afterHydration(): void {
  dataset.script = 'react';
  for (const control of earlyClicks) control.click();
}

/** Browsers dispatch a pointermove without movement when a page appears under a pointer at rest. */
function onInteraction(event: Event): void {
  const { type, movementX, movementY } = event as PointerEvent;
  if (type === 'pointerdown') deferredUntil = performance.now() + 500;
  else if (type === 'scroll' && !isHydrating) deferredUntil = performance.now() + 200;
  if (type !== 'pointermove' || movementX || movementY) hydrate();
}

/** Clicks before hydration on controls that need React are replayed after it; React itself replays later ones. */
function recordEarlyClick(event: Event): void {
  const control = (event.target as Element).closest<HTMLElement>('[data-replay]');
  if (control && !hasHydrationBegun) earlyClicks.add(control);
  deferredUntil = 0;
}

/** The fields are uncontrolled, so this works before and after hydration. */
function chooseService({ target }: Event): void {
  const { service } = (target as Element).closest<HTMLElement>('[data-service]')?.dataset ?? {};
  const select = document.querySelector<HTMLSelectElement>('select[name="service"]');
  if (service && select) select.value = service;
}

function printPage({ target }: Event): void {
  if ((target as Element).closest('[data-print]')) print();
}

/** Keyboard focus must not be behind the open menu's backdrop. */
function closeMenu({ target }: Event): void {
  if (!(target as Element).closest('[popover], [popovertarget]'))
    document.querySelector<HTMLElement>('[popover]')?.hidePopover?.();
}

function readUnsentMessage(form: HTMLFormElement): string | null | undefined {
  const prefix: typeof unsentPrefix = 'unsent-message:';
  // Not `form.name`: the field called `name` shadows it.
  return withSessionStorage(storage => storage.getItem(prefix + form.getAttribute('name')));
}

/** A native post contains the unsent message with its idempotency key, so that the server recognises a duplicate. */
function attachUnsentMessage({ target }: Event): void {
  const form = target as HTMLFormElement;
  const field = form.elements.namedItem('unsent' satisfies typeof unsentField) as HTMLInputElement | null;
  if (field) field.value = readUnsentMessage(form) ?? '';
}

/** A static site has no server to post to: React submits the form after hydration, unless it was edited since. */
function holdEarlySubmit(event: SubmitEvent): void {
  const { method } = event.target as HTMLFormElement;
  if (method !== 'dialog' || event.defaultPrevented || !event.submitter) return;
  event.preventDefault();
  earlyClicks.add(event.submitter);
  hydrate();
}

function forgetEarlySubmit({ target }: Event): void {
  for (const button of earlyClicks)
    if ((target as HTMLInputElement).form?.contains(button)) earlyClicks.delete(button);
}

const visibilityObserver = new IntersectionObserver(
  entries => {
    if (entries.some(entry => entry.isIntersecting)) hydrate();
  },
  { rootMargin: '200px' },
);

function addListeners(): void {
  for (const type of interactionEvents)
    addEventListener(type, onInteraction, { capture: true, passive: true });
  addEventListener('click', recordEarlyClick, true);
  addEventListener('click', chooseService);
  addEventListener('click', printPage);
  addEventListener('focusin', closeMenu);
  addEventListener('submit', attachUnsentMessage);
  addEventListener('submit', holdEarlySubmit);
  addEventListener('input', forgetEarlySubmit);
}

function start(): void {
  dataset.script ??= 'boot';
  if ([...document.forms].some(readUnsentMessage)) {
    addEventListener('online', onInteraction, true);
    hydrate();
  }
  for (const element of document.querySelectorAll('[data-needs-react]')) visibilityObserver.observe(element);
  startMotion();
}

function startWhenIdle(): void {
  restoreMotionPause();
  addListeners();
  if ('requestIdleCallback' in window) requestIdleCallback(start, { timeout: 1000 });
  else setTimeout(start);
}

// A browser may prerender a page for a click that never comes.
if ((document as Document & { prerendering?: boolean }).prerendering)
  document.addEventListener('prerenderingchange', startWhenIdle, { once: true });
else startWhenIdle();
