import { site } from 'content:site';
import { useMotionPaused } from '../reduced-motion.ts';

/** The boot script handles the click, so that it works before hydration. */
export function PauseButton() {
  const isPaused = useMotionPaused();
  return (
    <button
      aria-pressed={isPaused}
      className="needs-script inline-flex min-h-11 items-center gap-2.5 text-sm text-muted hover:text-text"
      data-pause=""
      suppressHydrationWarning
      type="button"
    >
      <svg aria-hidden="true" className="pause-icon size-3.5" fill="currentColor" viewBox="0 0 14 14">
        <path d="M3 2h2.6v10H3zM8.4 2H11v10H8.4z" />
        <path d="M3.5 1.5v11l8.5-5.5z" />
      </svg>
      {site.pauseMotion}
    </button>
  );
}
