import type { Policy } from '../../content/schemas/all-schemas.ts';
import { PageHeader } from './page-header.tsx';
import { PageMeta } from './page-meta.tsx';
import { listHeadings, Prose } from './prose.tsx';
import { ReadingLayout } from './reading-layout.tsx';

type PolicyName = 'privacy' | 'terms' | 'security' | 'audit-about';

export function PolicyPage({ page, policy }: { page: PolicyName; policy: Policy }) {
  const { title, dateLabel, date, body } = policy;
  return (
    <>
      <PageMeta page={page} texts={policy} />
      <PageHeader hasPlainLabel heading={title} label={`${dateLabel} ${formatDate(date, page)}`} />
      <ReadingLayout contents={listHeadings(body)}>
        <Prose className="max-w-reading *:first:mt-0" content={body} />
      </ReadingLayout>
    </>
  );
}

/** Not by Intl: creating its first formatter blocks the main thread. */
function formatDate(date: string, page: PolicyName): string {
  const [year, month, day] = date.split('-').map(Number);
  const name = months[(month ?? 1) - 1];
  const isSpecified = page === 'privacy' || page === 'terms';
  return isSpecified ? `${name} ${day}, ${year}` : `${day} ${name} ${year}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
