import type { Policy } from '../../content/schemas/all-schemas.ts';
import { PageHead } from './page-meta.tsx';
import { headingsOf, Prose } from './prose.tsx';
import { Reading } from './reading-layout.tsx';
import { PageTitle } from './section.tsx';

type PolicyPageProps = {
  page: 'privacy' | 'terms' | 'security';
  policy: Policy;
};

export function PolicyPage({ page, policy }: PolicyPageProps) {
  const { title, dateLabel, date, body } = policy;
  return (
    <>
      <PageHead page={page} words={policy} />
      <PageTitle hasPlainLabel heading={title} label={`${dateLabel} ${longDate(date)}`} />
      <Reading contents={headingsOf(body)}>
        <Prose className="max-w-reading *:first:mt-0" of={body} />
      </Reading>
    </>
  );
}

/** 'July 15, 2024'. By hand: the first use of a browser's formatter blocks the page. */
function longDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${months[(month ?? 1) - 1]} ${day}, ${year}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
