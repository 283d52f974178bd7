import faq from 'content:faq';
import { useRef, useState } from 'react';
import { buttonLook } from '../parts/button.ts';
import { PageHead } from '../parts/page-head.tsx';
import { Prose } from '../parts/prose.tsx';
import { PageTitle, Section } from '../parts/section.tsx';

export function Component() {
  const answers = useRef<HTMLDivElement>(null);
  const [areOpen, setAreOpen] = useState(false);

  function toggleAll() {
    for (const answer of answers.current?.querySelectorAll('details') ?? []) answer.open = !areOpen;
    setAreOpen(!areOpen);
  }

  return (
    <>
      <PageHead description={faq.description} page="faq" title={faq.title} />
      <PageTitle heading={faq.heading} label={faq.label} lead={faq.lead} />
      <Section world="paper">
        <button
          className={`${buttonLook.quiet} needs-script`}
          data-replay=""
          onClick={toggleAll}
          type="button"
        >
          {areOpen ? faq.closeAll : faq.openAll}
        </button>
        <div ref={answers}>
          {faq.groups.map(({ id, title, questions }) => (
            <section aria-labelledby={id} className="mt-12" key={id}>
              <h2 className="text-2xl" id={id}>
                {title}
              </h2>
              <div className="mt-4 border-b border-hairline">
                {questions.map(question => (
                  <Question key={question.id} {...question} />
                ))}
              </div>
            </section>
          ))}
        </div>
      </Section>
    </>
  );
}

type QuestionProps = (typeof faq.groups)[number]['questions'][number];

function Question({ id, question, answer }: QuestionProps) {
  // A visitor may have opened it before React came; it stays as they left it.
  return (
    <details className="border-t border-hairline" id={id} suppressHydrationWarning>
      <summary className="flex min-h-14 items-center justify-between gap-6 py-3 font-semibold">
        {question}
      </summary>
      <Prose className="max-w-prose pb-6 text-muted" of={answer} />
    </details>
  );
}
