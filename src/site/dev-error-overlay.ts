/** Under `npm run dev` only: shows the errors of content/ over the page until they are fixed. */
const name = 'content-mistakes';

function show(panel: string): void {
  const shown = document.querySelector(name);
  if (!panel) {
    shown?.remove();
    // Where the server could not render a page, there is one now.
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
// This page may have missed a save while it loaded.
import.meta.hot?.send('content:ask');
