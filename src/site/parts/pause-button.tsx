import site from 'content:site';
import { usePaused } from '../stillness.ts';

/** Stops everything that moves by itself. The boot script answers it, so that it works before React is here. */
export function PauseButton() {
  const isPaused = usePaused();
  return (
    <button
      aria-pressed={isPaused}
      className="pause needs-script inline-flex min-h-11 min-w-11 items-center justify-center gap-2.5 rounded-pill text-muted hover:text-text lg:px-3"
      data-pause=""
      suppressHydrationWarning
      type="button"
    >
      <svg aria-hidden="true" className="size-3.5" fill="currentColor" viewBox="0 0 14 14">
        <path className="pause-bars" d="M3 2h2.6v10H3zM8.4 2H11v10H8.4z" />
        <path className="pause-play" d="M3.5 1.5v11l8.5-5.5z" />
      </svg>
      <span className="max-lg:sr-only">{site.pauseMotion}</span>
    </button>
  );
}
