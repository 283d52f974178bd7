type Drag = {
  /** The button is down; it may still become a click. */
  begin(): void;
  /** Scrolls to where the mouse has pulled the row, and says by how much it was shifted besides. */
  pull(left: number): number;
  /** Which way it was pulled last: -1 back, 1 on, 0 not at all. */
  end(way: number): void;
};

/** Lets a mouse pull a row that fingers can swipe by themselves. The click that ends a drag is meant for nobody. */
export function listenToMouse(row: HTMLElement, signal: AbortSignal, { begin, pull, end }: Drag): void {
  let held: { x: number; left: number; isMoving: boolean } | undefined;

  function release(event: PointerEvent): void {
    if (!held) return;
    const { x, isMoving } = held;
    held = undefined;
    end(isMoving ? Math.sign(x - event.clientX) : 0);
    if (!isMoving) return;
    row.addEventListener('click', preventClick, { capture: true, once: true });
    setTimeout(() => row.removeEventListener('click', preventClick, true));
  }

  row.addEventListener(
    'pointerdown',
    event => {
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      held = { x: event.clientX, left: row.scrollLeft, isMoving: false };
      begin();
    },
    { signal },
  );
  row.addEventListener(
    'pointermove',
    event => {
      if (!held) return;
      // The button was let go where the row could not hear it.
      if (event.buttons === 0) return release(event);
      const moved = event.clientX - held.x;
      if (!held.isMoving && Math.abs(moved) < 6) return;
      if (!held.isMoving) row.setPointerCapture(event.pointerId);
      held.isMoving = true;
      held.left += pull(held.left - moved);
    },
    { signal },
  );
  row.addEventListener('pointerup', release, { signal });
  row.addEventListener('pointercancel', release, { signal });
  row.addEventListener('dragstart', event => event.preventDefault(), { signal });
}

function preventClick(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
