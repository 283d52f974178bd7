import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Section } from '../../../ui/desk/section.tsx';
import { Time } from '../../../ui/desk/time.tsx';
import { describeOpen } from './health.tsx';
import type { LaunchLine, LaunchProps } from './props.ts';

export function Launch({ lines, open, online }: LaunchProps) {
  const groups = sections
    .map(({ title, has }) => ({ title, lines: lines.filter(has) }))
    .filter(group => group.lines.length > 0);
  return (
    <div className="max-w-[64rem]">
      <p>{describeOpen(open)}</p>
      <form
        action={deskUrl('/health/launch')}
        className="mt-3 mb-6 flex flex-wrap items-center gap-3"
        method="post"
      >
        <button className={buttonClass.quiet} type="submit">
          Check the live site too
        </button>
        <span className="text-sm text-muted">
          {online ? (
            <>
              Last done <Time {...online} />.
            </>
          ) : (
            'This connects to your site and asks for its DNS records: a few seconds.'
          )}
        </span>
      </form>
      {groups.map(group => (
        <Section id={group.title.toLowerCase().replaceAll(' ', '-')} key={group.title} title={group.title}>
          <ul className="divide-y divide-hairline rounded-field border border-hairline bg-raised">
            {group.lines.map(line => (
              <Line key={line.name} {...line} />
            ))}
          </ul>
        </Section>
      ))}
    </div>
  );
}

const sections: { title: string; has(line: LaunchLine): boolean }[] = [
  { title: 'Required', has: ({ state, level }) => state === 'failed' && level === 'required' },
  { title: 'Recommended', has: ({ state, level }) => state === 'failed' && level === 'recommended' },
  { title: 'Not checked', has: ({ state }) => state === 'not checked' },
  { title: 'Ready', has: ({ state }) => state === 'ready' },
];

function Line({ name, state, detail, advice, reason, place }: LaunchLine) {
  if (state === 'ready')
    return (
      <li className="gap-x-4 px-4 py-1.5 text-sm sm:grid sm:grid-cols-[12rem_minmax(0,1fr)]">
        <h3 className="font-semibold">{name}</h3>
        <p className="wrap-anywhere text-muted">{toSentence(detail)}</p>
      </li>
    );
  return (
    <li className="gap-x-6 px-4 py-3 sm:grid sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div>
        <h3 className="font-semibold">{name}</h3>
        <p className="text-sm wrap-anywhere">
          {toSentence(detail)} {advice ? toSentence(advice) : ''}
        </p>
        {state === 'failed' ? <p className="text-sm text-muted">{reason}</p> : null}
      </div>
      <p className="mt-2 text-sm sm:mt-0 sm:text-right">
        {place.path ? (
          <a className={buttonClass.quiet} href={deskUrl(place.path)}>
            {place.text}
          </a>
        ) : (
          <span className="text-muted">{place.text}</span>
        )}
      </p>
    </li>
  );
}

/** A value at the beginning, such as an email address, keeps its first letter. */
function toSentence(text: string): string {
  const end = /[.?!]$/.test(text) ? '' : '.';
  return text.replace(/^[a-z]+(?=[ ,:;])/, word => word.charAt(0).toUpperCase() + word.slice(1)) + end;
}
