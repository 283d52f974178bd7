import { useEffect, useRef } from 'react';
import { onMotionPauseChange, prefersReducedMotion } from '../reduced-motion.ts';

type CounterProps = { value: number; label: string; seconds: number };

export function Counters({ items }: { items: CounterProps[] }) {
  return (
    <dl className="grid gap-10 md:grid-cols-3">
      {items.map(item => (
        <Counter key={item.label} {...item} />
      ))}
    </dl>
  );
}

function Counter({ value, label, seconds }: CounterProps) {
  const shown = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const element = shown.current;
    if (!element || prefersReducedMotion()) return;
    let frame = 0;
    let isFirstLook = true;
    const watch = new IntersectionObserver(([entry]) => {
      const wasInView = isFirstLook;
      isFirstLook = false;
      if (!entry?.isIntersecting) return;
      watch.disconnect();
      // The visitor has already seen the final number.
      if (wasInView) return;
      const started = performance.now();
      let written = 0;
      frame = requestAnimationFrame(function step(now) {
        const share = Math.min(Math.max((now - started) / (seconds * 1000), 0), 1);
        if (share === 1 || now - written >= stepMs) {
          const text = String(Math.floor(value * (share === 1 ? 1 : 1 - 2 ** (-10 * share))));
          // The last values rarely differ, and each write causes a layout.
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
    const forget = onMotionPauseChange(() => {
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

/** Faster changes are not legible, and each one causes a layout. */
const stepMs = 50;
