import faq from 'content:faq';
import { useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { buttonClass } from '../components/button.ts';
import { FaqQuestion } from '../components/faq-question.tsx';
import { containsWords, FilterField, normalizeText } from '../components/filter-field.tsx';
import { PageLink } from '../components/page-link.tsx';
import { PageMeta } from '../components/page-meta.tsx';
import { toPlainText } from '../components/prose.tsx';
import { ReadingLayout } from '../components/reading-layout.tsx';
import { PageHeader } from '../components/section.tsx';
import { paths } from '../paths.ts';
import { useOpenFragment } from '../use-open-fragment.ts';

const questions = faq.groups.flatMap(group => group.questions);
const searchable = new Map(
  questions.map(({ id, question, answer }) => [id, normalizeText(`${question} ${toPlainText(answer)}`)]),
);

export function Component() {
  const answers = useRef<HTMLDivElement>(null);
  const [areOpen, setAreOpen] = useState(false);
  const [filter, setFilter] = useFilter();
  useOpenFragment();
  const found = questions.filter(({ id }) => isFound(id, filter)).length;

  function toggleAll() {
    for (const answer of shownAnswers()) answer.open = !areOpen;
  }

  function noticeToggle() {
    setAreOpen(shownAnswers().every(answer => answer.open));
  }

  function shownAnswers(): HTMLDetailsElement[] {
    return Array.from(answers.current?.querySelectorAll<HTMLDetailsElement>('details:not([hidden])') ?? []);
  }

  return (
    <>
      <PageMeta page="faq" words={faq} />
      <PageHeader heading={faq.heading} label={faq.label} lead={faq.lead} />
      <ReadingLayout contents={faq.groups} hasShortContents>
        <search className="needs-script block print:hidden">
          <FilterField
            filter={filter}
            id="filter"
            onFilter={setFilter}
            result={filter.trim() ? describe(found) : ''}
            words={faq.filter}
          />
          <button className={`${buttonClass.quiet} mt-5`} data-replay="" onClick={toggleAll} type="button">
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
                  <FaqQuestion
                    isHidden={!isFound(question.id, filter)}
                    key={question.id}
                    onToggle={noticeToggle}
                    {...question}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
        {found === 0 ? <Nothing /> : null}
      </ReadingLayout>
    </>
  );
}

function describe(found: number): string {
  const { showing, none } = faq.filter;
  if (found === 0) return none;
  return showing.replace('{number}', String(found)).replace('{total}', String(questions.length));
}

function Nothing() {
  return (
    <div className="mt-10 rounded-card border border-hairline bg-high p-6 sm:p-8 print:hidden">
      <p className="max-w-reading text-lg">{faq.filter.noneNext}</p>
      <PageLink className={`${buttonClass.primary} mt-6`} to={paths.contact}>
        {faq.filter.contact}
      </PageLink>
    </div>
  );
}

function isFound(id: string, filter: string): boolean {
  const asked = faq.groups.find(group => group.id === id)?.questions ?? [{ id }];
  return asked.some(question => containsWords(searchable.get(question.id) ?? normalizeText(filter), filter));
}

/** A new address that names a hidden answer ends the filter, before the page scrolls there. */
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
