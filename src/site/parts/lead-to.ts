/** To the field that was refused, unless the visitor has gone on to something else on the page. */
export function leadTo(id: string): void {
  const field = document.getElementById(id) as HTMLInputElement | null;
  const focused = document.activeElement ?? document.body;
  if (focused === document.body || field?.form?.contains(focused)) field?.focus();
}

/** To an answer, which may come minutes later: whoever has scrolled on, or gone to another page, stays there. */
export function leadToAnswer(answer: HTMLElement | null): void {
  const place = answer?.closest('form')?.getBoundingClientRect();
  if (place && place.bottom > 0 && place.top < innerHeight) answer?.scrollIntoView({ block: 'nearest' });
}
