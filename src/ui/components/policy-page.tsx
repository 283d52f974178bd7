import { site } from 'content:site';
import type { PagePolicy } from '../../core/content/select-policy.ts';
import { ContactCard } from './contact-links.tsx';
import { Icon } from './icon.tsx';
import { PageHeader } from './page-header.tsx';
import { PageMeta } from './page-meta.tsx';
import { Prose } from './prose.tsx';
import { ReadingLayout } from './reading-layout.tsx';
import { Eyebrow } from './section.tsx';

export function PolicyPage({ page, policy }: { page: string; policy: PagePolicy }) {
  const { title, dateLabel, dateText, contents, short, body } = policy;
  return (
    <>
      <PageMeta page={page} texts={policy} />
      <PageHeader
        aside={short ? <MainPoints points={short} /> : null}
        hasPlainLabel
        heading={title}
        label={`${dateLabel} ${dateText}`}
      />
      <ReadingLayout aside={<ContactCard heading={site.policy.ask} />} contents={contents}>
        <Prose className="numbered max-w-reading *:first:mt-0" content={body} />
      </ReadingLayout>
    </>
  );
}

function MainPoints({ points }: { points: string[] }) {
  return (
    <div>
      <Eyebrow>{site.policy.short}</Eyebrow>
      <ul className="border-b border-hairline">
        {points.map(point => (
          <li className="flex gap-3 border-t border-hairline py-3" key={point}>
            <Icon className="mt-1 size-5 shrink-0 text-accent" d="m3 11 5 5L17 5" />
            <span>{point}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
