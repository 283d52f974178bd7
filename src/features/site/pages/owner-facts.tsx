import { ownerFacts as facts } from 'content:owner-facts';
import { termClass } from '../../sample-report/pages/sample-report-section.tsx';

/** Nothing at all while the owner has filled in nothing. */
export function OwnerFacts() {
  return facts.length > 0 ? (
    <dl className="mt-12 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-4">
      {facts.map(({ term, lines }) => (
        <div className="border-t border-hairline py-4" key={term}>
          <dt className={termClass}>{term}</dt>
          {lines.map(line => (
            <dd className="mt-1" key={line}>
              {line}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  ) : null;
}
