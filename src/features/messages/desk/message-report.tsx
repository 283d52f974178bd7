import { Time } from '../../../ui/desk/time.tsx';
import type { MessageProps } from './props.ts';

export function MessageReport({ report }: Pick<MessageProps, 'report'>) {
  if (report === undefined) return null;
  return (
    <section className="rounded-field border border-hairline px-5 py-4">
      <h2 className="text-base">{report.heading}</h2>
      {'erased' in report ? (
        <p className="mt-1 text-sm text-muted">{report.erased}.</p>
      ) : (
        <>
          <p className="mt-1">
            <bdi className="font-semibold">{report.domain}</bdi>: {report.graded}
          </p>
          <p className="text-sm text-muted">
            {report.passed}, measured <Time {...report.measured} />
          </p>
          {report.first.length > 0 ? (
            <p className="mt-2 text-sm">To do first: {report.first.join(', ')}</p>
          ) : null}
          {report.open.length > 0 ? (
            <details className="text-sm">
              <summary className="desk-summary cursor-pointer text-muted hover:text-text">
                What did not pass ({report.open.length})
              </summary>
              <dl className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-1">
                {report.open.map(({ title, status }) => (
                  <div className="contents" key={title}>
                    <dt>{title}</dt>
                    <dd className="text-muted">{status}</dd>
                  </div>
                ))}
              </dl>
            </details>
          ) : null}
        </>
      )}
    </section>
  );
}
