import faq from 'content:faq';
import { useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { fold, holdsWords } from '../match-words.ts';
import { useOpenNamed } from '../open-named.ts';
import { buttonLook } from '../parts/button.ts';
import { FilterField } from '../parts/filter-field.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { PageLink } from '../parts/page-link.tsx';
import { Prose, textOf } from '../parts/prose.tsx';
import { Reading } from '../parts/reading.tsx';
import { PageTitle } from '../parts/section.tsx';
import { paths } from '../paths.ts';

type QuestionData = (typeof faq.groups)[number]['questions'][number];

const questions = faq.groups.flatMap(group => group.questions);
const searchable = new Map(
  questions.map(({ id, question, answer }) => [id, fold(`${question} ${textOf(answer)}`)]),
);

export function Component() {
  const answers = useRef<HTMLDivElement>(null);
  const [areOpen, setAreOpen] = useState(false);
  const [filter, setFilter] = useFilter();
  useOpenNamed();
  const found = questions.filter(({ id }) => isFound(id, filter)).length;

  function toggleAll() {
    for (const answer of answers.current?.querySelectorAll('details') ?? []) answer.open = !areOpen;
    setAreOpen(!areOpen);
  }

  return (
    <>
      <PageHead description={faq.description} page="faq" title={faq.title} />
      <PageTitle heading={faq.heading} label={faq.label} lead={faq.lead} />
      <Reading contents={faq.groups} hasShortContents>
        <search className="needs-script block print:hidden">
          <FilterField
            filter={filter}
            id="filter"
            onFilter={setFilter}
            result={filter.trim() ? describe(found) : ''}
            words={faq.filter}
          />
          <button className={`${buttonLook.quiet} mt-5`} data-replay="" onClick={toggleAll} type="button">
            {areOpen ? faq.closeAll : faq.openAll}
          </button>
        </search>
        <div ref={answers}>
          {faq.groups.map(group => (
            <section
              aria-labelledby={group.id}
              className="mt-14"
              hidden={!isFound(group.id, filter)}
              key={group.id}
            >
              <h2 className="text-[1.75rem]" id={group.id}>
                {group.title}
              </h2>
              <div className="mt-5 border-b border-hairline">
                {group.questions.map(question => (
                  <Question isHidden={!isFound(question.id, filter)} key={question.id} {...question} />
                ))}
              </div>
            </section>
          ))}
        </div>
        {found === 0 ? <Nothing /> : null}
      </Reading>
    </>
  );
}

/** The answer, not the question, carries the id: a browser opens what holds the place that an address names. */
function Question({ id, question, answer, isHidden }: QuestionData & { isHidden: boolean }) {
  // A visitor may have opened it before React came; it stays as they left it.
  return (
    <details className="border-t border-hairline" hidden={isHidden} suppressHydrationWarning>
      <summary
        className="flex min-h-16 items-center py-4 pr-10 text-lg leading-snug font-semibold"
        id={`${id}-question`}
      >
        {question}
      </summary>
      <article aria-labelledby={`${id}-question`} className="scroll-mt-24 pb-4" id={id}>
        <Prose className="max-w-reading text-muted *:first:mt-0" of={answer} />
        <Link
          className="mt-2 inline-flex min-h-11 items-center gap-2 text-sm text-muted hover:text-accent print:hidden"
          to={`#${id}`}
        >
          <span aria-hidden="true" className="font-mono text-accent">
            #
          </span>
          <span className="underline decoration-edge underline-offset-4">{faq.linkToAnswer}</span>
          <span className="sr-only">: {question}</span>
        </Link>
      </article>
    </details>
  );
}

/** 'Showing 3 of 25 questions' */
function describe(found: number): string {
  const { showing, none } = faq.filter;
  if (found === 0) return none;
  return showing.replace('{number}', String(found)).replace('{total}', String(questions.length));
}

function Nothing() {
  return (
    <div className="mt-10 rounded-card border border-hairline bg-high p-6 sm:p-8 print:hidden">
      <p className="max-w-reading text-lg">{faq.filter.noneNext}</p>
      <PageLink className={`${buttonLook.primary} mt-6`} to={paths.contact}>
        {faq.filter.contact}
      </PageLink>
    </div>
  );
}

/** Whether a question, or one of a group's, holds what the visitor typed. What is neither is never hidden. */
function isFound(id: string, filter: string): boolean {
  const asked = faq.groups.find(group => group.id === id)?.questions ?? [{ id }];
  return asked.some(question => holdsWords(searchable.get(question.id) ?? fold(filter), filter));
}

/** A new address that names something the filter hides ends the filter, before the page scrolls to that place. */
function useFilter() {
  const [filter, setFilter] = useState('');
  const { key, hash } = useLocation();
  const address = key + hash;
  const [shownAddress, setShownAddress] = useState(address);
  if (shownAddress !== address) {
    setShownAddress(address);
    if (!isFound(hash.slice(1), filter)) setFilter('');
  }
  return [filter, setFilter] as const;
}
