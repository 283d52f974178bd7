/** The fully visible slides from left to right, with their distance from the left edge of the carousel. Runs in the page. */
export function readVisibleSlides(): { name: string; left: number; right: number }[] {
  const frame = document.querySelector('.carousel')?.getBoundingClientRect() ?? new DOMRect();
  return [...document.querySelectorAll('[aria-roledescription=slide]')]
    .map(slide => ({
      name: slide.querySelector('h3')?.textContent ?? '',
      box: slide.getBoundingClientRect(),
    }))
    .map(({ name, box }) => ({ name, left: box.left - frame.left, right: box.right - frame.left }))
    .filter(({ left, right }) => left > -1 && right < frame.width + 1)
    .sort((one, other) => one.left - other.left);
}
