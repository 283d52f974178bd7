import type { Moment } from '../../lib/format-time.ts';

export function Time({ iso, text }: Moment) {
  return (
    <time className="whitespace-nowrap" dateTime={iso}>
      {text}
    </time>
  );
}
