import { ownerFacts as facts } from 'content:owner-facts';

/** Nothing at all while the owner has filled in nothing. */
export function Component() {
  return facts.length > 0 ? (
    <dl className="mt-12 grid gap-x-8 sm:grid-cols-2 lg:grid-cols-4">
      {facts.map(({ term, lines }) => (
        <div className="border-t border-hairline py-4" key={term}>
          <dt className="capitals text-accent">{term}</dt>
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
