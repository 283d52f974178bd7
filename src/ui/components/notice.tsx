import { site } from 'content:site';
import { TextWithPhone } from './contact-links.tsx';

type NoticeProps = {
  /** `empty`: stored as every message is, but nobody can reply to it. */
  kind: 'sent' | 'empty' | 'refused';
  heading?: string;
  next?: string;
  reference?: string;
  id?: string;
  isTarget?: boolean;
};

export function Notice({ kind, heading, next, reference, id, isTarget = false }: NoticeProps) {
  const { notices } = site;
  return (
    <div
      className={`${isTarget ? 'hidden target:flex' : 'flex'} gap-4 rounded-card border-2 p-5 ${borderClass[kind]}`}
      id={id}
      tabIndex={isTarget ? -1 : undefined}
    >
      <StatusIcon kind={kind} />
      <div>
        <p className="font-semibold">{heading ?? notices[kind === 'empty' ? 'sent' : kind]}</p>
        {reference ? (
          <p className="mt-1">
            {notices.reference}: <span className="font-mono">{reference}</span>
          </p>
        ) : null}
        <p className="mt-1 text-muted">
          <TextWithPhone text={next ?? notices[`${kind}Next`]} />
        </p>
      </div>
    </div>
  );
}

/** For a failed connection, which has no notice: the icon and contrast of one. */
export function StatusLine({ text }: { text: string }) {
  return (
    <p className="flex gap-3 font-semibold">
      <StatusIcon kind="refused" />
      {text}
    </p>
  );
}

export function StatusIcon({ kind }: { kind: NoticeProps['kind'] }) {
  return (
    <svg
      aria-hidden="true"
      className={`mt-0.5 size-6 shrink-0 ${colourClass[kind]}`}
      fill="none"
      viewBox="0 0 24 24"
    >
      <circle cx="12" cy="12" r="10" stroke="currentColor" strokeWidth="2" />
      <path
        d={kind === 'sent' ? 'm7.5 12.5 3 3 6-6.5' : 'M12 7v6m0 3.5v.5'}
        stroke="currentColor"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeWidth="2"
      />
    </svg>
  );
}

const borderClass: Record<NoticeProps['kind'], string> = {
  sent: 'border-accent',
  empty: 'border-edge',
  refused: 'border-attention',
};
const colourClass: Record<NoticeProps['kind'], string> = {
  sent: 'text-accent',
  empty: 'text-muted',
  refused: 'text-attention',
};
