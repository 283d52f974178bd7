import type { ReactNode } from 'react';

export function Badge({
  tone = 'plain',
  children,
}: {
  tone?: 'plain' | 'good' | 'attention';
  children: ReactNode;
}) {
  return (
    <span
      className={`inline-block shrink-0 rounded-pill border px-2 text-xs whitespace-nowrap ${toneClass[tone]}`}
    >
      {children}
    </span>
  );
}

const toneClass = {
  plain: 'border-edge text-muted',
  good: 'border-accent text-accent',
  attention: 'border-attention text-attention',
};
