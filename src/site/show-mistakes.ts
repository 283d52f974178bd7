/**
 * Under `npm run dev` only: shows the mistakes of content/ over the page, as the server tells them, and takes them away
 * when they are mended. The page below stays as it is.
 */
const name = 'content-mistakes';

function show(panel: string): void {
  const shown = document.querySelector(name);
  if (!panel) {
    shown?.remove();
    // Where there was no page below, there is one now.
    if (shown && !document.getElementById('root')) location.reload();
    return;
  }
  const host = shown ?? document.body.appendChild(document.createElement(name));
  const inside = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  inside.innerHTML = panel;
  prepare(host);
}

function prepare(host: Element): void {
  host.shadowRoot?.querySelector('button')?.addEventListener('click', () => host.remove());
}

document.querySelectorAll(name).forEach(prepare);
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector(name)?.remove();
});
import.meta.hot?.on('content:mistakes', ({ panel }: { panel: string }) => show(panel));
// What was saved while this page was on its way was told to nobody.
import.meta.hot?.send('content:ask');
