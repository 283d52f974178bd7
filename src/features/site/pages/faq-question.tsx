import { faq } from 'content:faq';
import { PageLink } from '../../../ui/components/page-link.tsx';
import { Prose } from '../../../ui/components/prose.tsx';

type FaqQuestionProps = (typeof faq.groups)[number]['questions'][number] & {
  isHidden: boolean;
  onToggle(): void;
};

/** Described to search engines by attributes: JSON-LD would repeat every word. The answer has the id, because browsers open the details element around a fragment's target. */
export function FaqQuestion({ id, question, answer, isHidden, onToggle }: FaqQuestionProps) {
  // suppressHydrationWarning: the visitor may have opened it before hydration.
  return (
    <details
      className="border-t border-hairline"
      hidden={isHidden}
      itemProp="mainEntity"
      itemScope
      itemType="https://schema.org/Question"
      onToggle={onToggle}
      suppressHydrationWarning
    >
      <summary
        className="flex min-h-16 items-center gap-5 py-4 pr-1 text-lg leading-snug font-semibold"
        itemProp="name"
      >
        {question}
      </summary>
      <div
        className="scroll-mt-24 pb-4"
        id={id}
        itemProp="acceptedAnswer"
        itemScope
        itemType="https://schema.org/Answer"
      >
        <Prose className="max-w-reading text-muted *:first:mt-0" content={answer} itemProp="text" />
        <PageLink
          className="mt-2 inline-flex min-h-11 items-center gap-2 text-sm text-muted hover:text-accent print:hidden"
          to={`#${id}`}
        >
          <span aria-hidden="true" className="font-mono text-accent">
            #
          </span>
          <span className="underline decoration-edge underline-offset-4">{faq.linkToAnswer}</span>
          <span className="sr-only">{`: ${question}`}</span>
        </PageLink>
      </div>
    </details>
  );
}
