import { Badge } from '../../../ui/desk/badge.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import type { FindingLine, FindingSection } from './props.ts';

export function FindingSections({ sections }: { sections: FindingSection[] }) {
  return sections.map(({ title, about, lines }) => (
    <section className="mt-6" key={title}>
      <h2 className="text-base">
        {title} <span className="font-normal text-muted">({lines.length})</span>
      </h2>
      {about ? <p className="text-sm text-muted">{about}</p> : null}
      <ul className="mt-2 divide-y divide-hairline border-y border-hairline">
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files or mails may be alike, and the list never changes
          <li className="py-2" key={index}>
            <Finding {...line} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

export function Finding({ label, reference, state, at, where, words }: FindingLine) {
  return (
    <>
      {label || words ? (
        <p className="line-clamp-2 wrap-anywhere">
          {label}
          {label && words ? ': ' : ''}
          <bdi>{words}</bdi>
        </p>
      ) : null}
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        {at ? <Time {...at} /> : null}
        {reference ? <span className="font-mono text-xs">{reference}</span> : null}
        {where ? <span>{where}</span> : null}
        {state ? <Badge>{state}</Badge> : null}
      </p>
    </>
  );
}
