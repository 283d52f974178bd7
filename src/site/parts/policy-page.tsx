import type { Policy } from '../../content/schemas.ts';
import { PageHead } from './page-head.tsx';
import { Prose } from './prose.tsx';
import { PageTitle, Section } from './section.tsx';

type PolicyPageProps = { page: 'privacy' | 'terms'; policy: Policy };

/** Privacy and terms: a title, the date they count from, and the text. */
export function PolicyPage({ page, policy }: PolicyPageProps) {
  const { title, description, dateLabel, date, body } = policy;
  return (
    <>
      <PageHead description={description} page={page} title={title} />
      <PageTitle heading={title} label={`${dateLabel} ${longDate(date)}`} />
      <Section world="paper">
        <Prose className="max-w-prose" of={body} />
      </Section>
    </>
  );
}

/** 'July 15, 2024', as the policies have always written it. */
function longDate(day: string): string {
  return new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
}
