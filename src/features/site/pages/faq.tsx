import { faq } from 'content:faq';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '../../../ui/components/button.ts';
import { CallToAction } from '../../../ui/components/call-to-action.tsx';
import { ContactCard } from '../../../ui/components/contact-links.tsx';
import { containsWords, FilterField, normalizeText } from '../../../ui/components/filter-field.tsx';
import { ArrowIcon } from '../../../ui/components/icon.tsx';
import { Illustration } from '../../../ui/components/illustration.tsx';
import { PageHeader } from '../../../ui/components/page-header.tsx';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { toPlainText } from '../../../ui/components/prose.tsx';
import { ReadingLayout } from '../../../ui/components/reading-layout.tsx';
import { Eyebrow } from '../../../ui/components/section.tsx';
import { paths } from '../../../ui/paths.ts';
import { useOpenFragment } from '../../../ui/use-open-fragment.ts';
import { FaqQuestion } from './faq-question.tsx';

const questions = faq.groups.flatMap(group => group.questions);
const searchable = new Map(
  questions.map(({ id, question, answer }) => [id, normalizeText(`${question} ${toPlainText(answer)}`)]),
);

export function Component() {
  const answers = useRef<HTMLDivElement>(null);
  const [areAllOpen, setAreAllOpen] = useState(false);
  const [filter, setFilter] = useFilter();
  useOpenFragment();
  const matchCount = questions.filter(({ id }) => matchesFilter(id, filter)).length;

  function toggleAll() {
    for (const answer of visibleAnswers()) answer.open = !areAllOpen;
  }

  function updateAreAllOpen() {
    setAreAllOpen(visibleAnswers().every(answer => answer.open));
  }

  function visibleAnswers(): HTMLDetailsElement[] {
    return Array.from(answers.current?.querySelectorAll<HTMLDetailsElement>('details:not([hidden])') ?? []);
  }

  return (
    <>
      <PageMeta page="faq" texts={faq} />
      <PageHeader
        aside={faq.popular ? <PopularQuestions {...faq.popular} /> : null}
        heading={faq.heading}
        label={faq.label}
        lead={faq.lead}
      />
      <ReadingLayout aside={<AuditCard />} contents={faq.groups}>
        <search className="needs-script block print:hidden">
          <FilterField
            filter={filter}
            id="filter"
            onFilter={setFilter}
            result={filter.trim() ? describeResult(matchCount) : ''}
            texts={faq.filter}
          />
          <button className={`${buttonClass.quiet} mt-5`} data-replay="" onClick={toggleAll} type="button">
            {areAllOpen ? faq.closeAll : faq.openAll}
          </button>
        </search>
        <div itemScope itemType="https://schema.org/FAQPage" ref={answers}>
          {faq.groups.map(group => (
            <section
              aria-labelledby={group.id}
              className="mt-14"
              hidden={!matchesFilter(group.id, filter)}
              key={group.id}
            >
              <h2 className="text-[1.75rem]" id={group.id}>
                {group.title}
              </h2>
              <div className="mt-5 border-b border-hairline">
                {group.questions.map(question => (
                  <FaqQuestion
                    isHidden={!matchesFilter(question.id, filter)}
                    key={question.id}
                    onToggle={updateAreAllOpen}
                    {...question}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
        <div className="mt-14">{matchCount === 0 ? <NoMatches /> : <ContactCard heading={faq.ask} />}</div>
      </ReadingLayout>
    </>
  );
}

/** Beside the questions on wide screens, after them on others. */
function AuditCard() {
  return (
    <CallToAction className="xl:flex-col xl:items-stretch xl:gap-5 xl:px-6 xl:pt-2 xl:pb-6 xl:[&_a]:px-4 xl:[&_a]:text-sm xl:[&_h2]:text-2xl xl:[&>div]:basis-auto">
      <Illustration className="w-full text-muted max-xl:hidden" name="web-security" />
    </CallToAction>
  );
}

function PopularQuestions({ heading, questions: ids }: { heading: string; questions: string[] }) {
  return (
    <nav aria-label={heading} className="max-lg:hidden print:hidden">
      <Eyebrow>{heading}</Eyebrow>
      <ul className="border-b border-hairline">
        {ids.map(id => (
          <li className="border-t border-hairline" key={id}>
            <PageLink
              className="flex min-h-12 items-center justify-between gap-4 py-2 leading-snug hover:text-accent"
              to={`#${id}`}
            >
              {questions.find(question => question.id === id)?.question} <ArrowIcon />
            </PageLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function describeResult(matchCount: number): string {
  const { showing, none } = faq.filter;
  if (matchCount === 0) return none;
  return showing.replace('{number}', String(matchCount)).replace('{total}', String(questions.length));
}

function NoMatches() {
  return (
    <div className="rounded-card border border-hairline bg-high p-6 sm:p-8 print:hidden">
      <p className="max-w-reading text-lg">{faq.filter.noneNext}</p>
      <PageLink className={`${buttonClass.primary} mt-6`} to={paths.contact}>
        {faq.filter.contact}
      </PageLink>
    </div>
  );
}

function matchesFilter(id: string, filter: string): boolean {
  const candidates = faq.groups.find(group => group.id === id)?.questions ?? [{ id }];
  return candidates.some(question =>
    containsWords(searchable.get(question.id) ?? normalizeText(filter), filter),
  );
}

function useFilter() {
  const [filter, setFilter] = useState('');
  const { key, hash } = useLocation();
  const url = key + hash;
  const [shownUrl, setShownUrl] = useState(url);
  if (shownUrl !== url) {
    setShownUrl(url);
    if (!matchesFilter(hash.slice(1), filter)) setFilter('');
  }
  return [filter, setFilter] as const;
}
