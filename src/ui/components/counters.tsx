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
  const visibleNumber = useRef<HTMLSpanElement>(null);

  useEffect(() => {
    const element = visibleNumber.current;
    if (!element || prefersReducedMotion()) return;
    let frame = 0;
    let isFirstCallback = true;
    const observer = new IntersectionObserver(([entry]) => {
      const wasInitiallyInView = isFirstCallback;
      isFirstCallback = false;
      if (!entry?.isIntersecting) {
        element.textContent = '0';
        return;
      }
      observer.disconnect();
      // The visitor has already read the final number.
      if (wasInitiallyInView) return;
      const startedAt = performance.now();
      let writtenAt = 0;
      frame = requestAnimationFrame(function step(now) {
        const progress = Math.min(Math.max((now - startedAt) / (seconds * 1000), 0), 1);
        if (progress === 1 || now - writtenAt >= frameMs) {
          const text = String(Math.floor(value * (progress === 1 ? 1 : 1 - 2 ** (-10 * progress))));
          if (element.textContent !== text) element.textContent = text;
          writtenAt = now;
        }
        if (progress < 1) frame = requestAnimationFrame(step);
      });
    });
    observer.observe(element);

    function stop() {
      observer.disconnect();
      cancelAnimationFrame(frame);
    }
    const unsubscribe = onMotionPauseChange(() => {
      stop();
      element.textContent = String(value);
    });
    return () => {
      stop();
      unsubscribe();
    };
  }, [value, seconds]);

  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="mt-2 font-semibold">{label}</dt>
      <dd className="text-[clamp(3.5rem,9vw,6rem)] leading-none font-bold tabular-nums">
        <span className="sr-only">{value}</span>
        <span aria-hidden="true" ref={visibleNumber}>
          {value}
        </span>
      </dd>
    </div>
  );
}

/** Faster changes are not legible. */
const frameMs = 50;
