import { useEffect, useRef } from 'react';
import { isStill, onPauseChange } from '../stillness.ts';

type CounterProps = { value: number; label: string; seconds: number };

/** Numbers side by side, each counting for itself. */
export function Counters({ items }: { items: CounterProps[] }) {
  return (
    <dl className="grid gap-10 md:grid-cols-3">
      {items.map(item => (
        <Counter key={item.label} {...item} />
      ))}
    </dl>
  );
}

/** Counts up to the number that the HTML already holds, and reaches it with the last frame. Digits are of one width. */
function Counter({ value, label, seconds }: CounterProps) {
  const shown = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const element = shown.current;
    if (!element || isStill()) return;
    let frame = 0;
    const watch = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      watch.disconnect();
      const started = performance.now();
      let written = 0;
      frame = requestAnimationFrame(function step(now) {
        const share = Math.min(Math.max((now - started) / (seconds * 1000), 0), 1);
        if (share === 1 || now - written >= stepMs) {
          const text = String(Math.floor(value * easeOut(share)));
          // The last of them differ seldom, and each write is a layout.
          if (element.textContent !== text) element.textContent = text;
          written = now;
        }
        if (share < 1) frame = requestAnimationFrame(step);
      });
    });
    watch.observe(element);

    function stop() {
      watch.disconnect();
      cancelAnimationFrame(frame);
    }
    // Who pauses motion wants the number, now.
    const forget = onPauseChange(() => {
      stop();
      element.textContent = String(value);
    });
    return () => {
      stop();
      forget();
    };
  }, [value, seconds]);

  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="mt-2 font-semibold">{label}</dt>
      <dd className="text-[clamp(3.5rem,9vw,6rem)] leading-none font-bold tracking-tight tabular-nums">
        <span className="sr-only">{value}</span>
        <span aria-hidden="true" ref={shown}>
          {value}
        </span>
      </dd>
    </div>
  );
}

/** No eye reads digits that change more often, and each change is a layout of its own. */
const stepMs = 50;

/** Most of the way early, then slower and slower. */
function easeOut(share: number): number {
  return share === 1 ? 1 : 1 - 2 ** (-10 * share);
}
