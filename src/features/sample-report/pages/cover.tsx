import { sample } from 'content:sample';
import { ReportEntry } from './sample-finding.tsx';

export function Cover() {
  const { client, summary, scope, scopeTitle } = sample.cover;
  return (
    <>
      <p className="text-xl font-semibold">{client}</p>
      <p className="mt-1 text-muted">{summary}</p>
      <h3 className="mt-10 mb-5 border-t border-hairline pt-6 text-xl">{scopeTitle}</h3>
      <dl className="grid gap-x-12 gap-y-5 sm:grid-cols-2">
        {scope.map(({ term, text }) => (
          <ReportEntry key={term} term={term}>
            {text}
          </ReportEntry>
        ))}
      </dl>
    </>
  );
}
