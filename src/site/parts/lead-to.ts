/** To the field that was refused, unless the visitor has gone on to something else on the page. */
export function leadTo(id: string): void {
  const field = document.getElementById(id) as HTMLInputElement | null;
  const focused = document.activeElement ?? document.body;
  if (focused === document.body || field?.form?.contains(focused)) field?.focus();
}
