import type { Policy } from '../../content/schemas.ts';
import { PageHead } from './page-head.tsx';
import { headingsOf, Prose, type ProseParts, partsOf, textOf } from './prose.tsx';
import { Reading } from './reading.tsx';
import { PageTitle } from './section.tsx';

type PolicyPageProps = {
  page: 'privacy' | 'terms' | 'security';
  policy: Policy;
  /** What stands in the text where its name does. */
  parts?: ProseParts;
};

/** Privacy, terms and security: a title, the date they count from, and the text. */
export function PolicyPage({ page, policy, parts }: PolicyPageProps) {
  const { title, dateLabel, date, body } = policy;
  return (
    <>
      <PageHead page={page} words={policy} />
      <PageTitle hasPlainLabel heading={title} label={`${dateLabel} ${longDate(date)}`} />
      <Reading contents={headingsOf(body)}>
        {partsOf(body).map((part, index) => (
          <Prose
            className={`max-w-reading ${index === 0 ? '*:first:mt-0' : ''}`}
            isFar={index > 0}
            key={textOf(part)}
            of={part}
            parts={parts}
          />
        ))}
      </Reading>
    </>
  );
}

/** 'July 15, 2024', as the policies have always written it. By hand: the first use of a browser's formatter holds up the page. */
function longDate(date: string): string {
  const [year, month, day] = date.split('-').map(Number);
  return `${months[(month ?? 1) - 1]} ${day}, ${year}`;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
