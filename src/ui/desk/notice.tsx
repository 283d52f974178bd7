import type { Notice } from '../../core/desk/page.ts';

export function NoticeBar({ kind, text }: Notice) {
  return (
    <p
      className={`mt-3 rounded-field border-l-4 bg-raised px-4 py-2.5 font-semibold ${kind === 'done' ? 'border-accent' : 'border-attention'}`}
      role={kind === 'done' ? 'status' : 'alert'}
    >
      {text}
    </p>
  );
}
