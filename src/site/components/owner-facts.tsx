import facts from 'content:owner-facts';
import { termClass } from './sample-report-section.tsx';

/** Nothing at all while the owner has filled in nothing. */
export function OwnerFacts({ className }: { className: string }) {
  return facts.length > 0 ? (
    <dl className={`grid gap-x-12 ${className}`}>
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
