import { formatNumber } from '../../../lib/format-number.ts';
import { maxImageMb } from '../../../lib/image-limits.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Field, fileInputClass } from '../../../ui/desk/field.tsx';
import type { ImportProps } from './props.ts';

export function NewsletterImport({ id, error, counts, invalidLines, perHour }: ImportProps) {
  return (
    <div className="max-w-[44rem]">
      {counts ? (
        <Counts counts={counts} id={id} invalidLines={invalidLines} perHour={perHour} />
      ) : (
        <form
          action={deskUrl('/newsletter/import')}
          className="grid gap-4"
          encType="multipart/form-data"
          method="post"
        >
          <p>
            Every new address gets the usual email that asks to confirm, even if another system has recorded
            consent. Known addresses are never asked again.
          </p>
          <Field
            error={error}
            hint={`One address a line, or a spreadsheet saved as CSV with a column named email. Up to ${maxImageMb} MB.`}
            id="file"
            label="File"
          >
            <input
              accept=".csv,.txt,text/csv,text/plain"
              aria-describedby={error ? 'file-error file-hint' : 'file-hint'}
              aria-invalid={error ? true : undefined}
              className={fileInputClass}
              id="file"
              name="file"
              required
              type="file"
            />
          </Field>
          <div>
            <button className={buttonClass.primary} type="submit">
              Look at it first
            </button>
          </div>
        </form>
      )}
    </div>
  );
}

type CountsProps = Pick<ImportProps, 'id' | 'invalidLines' | 'perHour'> & {
  counts: NonNullable<ImportProps['counts']>;
};

function Counts({ id, counts, invalidLines, perHour }: CountsProps) {
  const { added, subscribed, unsubscribed, suppressed, repeated, optedOut } = counts;
  const hours = Math.ceil(added / perHour);
  const rows = [
    ['New, to be asked', added],
    ['Already subscribed or asked', subscribed],
    ['Unsubscribed before', unsubscribed],
    ['Suppressed', suppressed],
    ['Listed as unsubscribed in the file', optedOut],
    ['Twice in the file', repeated],
    ['Not an address', invalidLines.length],
  ] as const;
  return (
    <>
      <p>Nothing has been changed yet.</p>
      <dl className="mt-4 grid max-w-96 grid-cols-[minmax(0,1fr)_auto] gap-y-1 border-y border-hairline py-3">
        {rows.map(([text, number]) => (
          <div className="contents" key={text}>
            <dt className="text-muted">{text}</dt>
            <dd className="text-right font-semibold">{formatNumber(number)}</dd>
          </div>
        ))}
      </dl>
      {invalidLines.length > 0 ? (
        <p className="mt-3 text-sm text-muted">
          No address on {invalidLines.length === 1 ? 'line' : 'lines'} {invalidLines.slice(0, 50).join(', ')}
          {invalidLines.length > 50 ? ' and others' : ''}.
        </p>
      ) : null}
      {added > 0 ? (
        <p className="mt-3">
          At most {formatNumber(perHour)} emails an hour are sent, so the last leaves in about{' '}
          {hours === 1 ? 'an hour' : `${formatNumber(hours)} hours`}.
        </p>
      ) : (
        <p className="mt-3">There is no new address in the file.</p>
      )}
      <form action={deskUrl(`/newsletter/import/${id}`)} className="mt-5 flex flex-wrap gap-3" method="post">
        {added > 0 ? (
          <button className={buttonClass.primary} type="submit">
            Ask {formatNumber(added)} {added === 1 ? 'person' : 'people'} to confirm
          </button>
        ) : null}
        <a className={buttonClass.quiet} href={deskUrl('/newsletter/import')}>
          Another file
        </a>
      </form>
    </>
  );
}
