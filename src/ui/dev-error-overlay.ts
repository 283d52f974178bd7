/** Under `npm run dev` only: shows the errors of content/ over the page until they are fixed. */
const elementName = 'content-errors';

function show(panel: string): void {
  const existing = document.querySelector(elementName);
  if (!panel) {
    existing?.remove();
    if (existing && !document.getElementById('root')) location.reload();
    return;
  }
  const host = existing ?? document.body.appendChild(document.createElement(elementName));
  const shadowRoot = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  shadowRoot.innerHTML = panel;
  addCloseHandler(host);
}

function addCloseHandler(host: Element): void {
  host.shadowRoot?.querySelector('button')?.addEventListener('click', () => host.remove());
}

document.querySelectorAll(elementName).forEach(addCloseHandler);
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector(elementName)?.remove();
});
import.meta.hot?.on('content:errors', ({ panel }: { panel: string }) => show(panel));
// A file may have been saved while the page loaded.
import.meta.hot?.send('content:request-errors');
