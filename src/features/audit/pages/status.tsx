import type { CheckStatus } from '../terms.ts';

/** Its words are beside it. */
export function StatusMark({ status, className = '' }: { status: CheckStatus; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      className={`size-6 shrink-0 ${colourClass[status]} ${className}`}
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      strokeWidth="2"
      viewBox="0 0 24 24"
    >
      <circle cx="12" cy="12" r="10" strokeDasharray={status === 'not-measurable' ? '3 4' : undefined} />
      <path d={marks[status]} />
    </svg>
  );
}

export const colourClass: Record<CheckStatus, string> = {
  passed: 'text-accent',
  attention: 'text-attention',
  missing: 'text-attention',
  failed: 'text-attention',
  'not-measurable': 'text-muted',
};
const marks: Record<CheckStatus, string> = {
  passed: 'm7.5 12.5 3 3 6-6.5',
  attention: 'M12 7v6m0 3.5v.5',
  missing: 'm5.5 18.5 13-13',
  failed: 'm8.5 8.5 7 7m0-7-7 7',
  'not-measurable': 'M8 12h8',
};
