import { formatNumber } from '../../../lib/format-number.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import type { SendProps } from './props.ts';

export function NewsletterSend({ path, subject, hash, confirmed, refusal, notes }: SendProps) {
  const people = `${formatNumber(confirmed)} ${confirmed === 1 ? 'subscriber' : 'subscribers'}`;
  return (
    <div className="max-w-[44rem]">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-5 gap-y-1">
        <dt className="text-muted">Subject</dt>
        <dd className="font-semibold">{subject}</dd>
        <dt className="text-muted">To</dt>
        <dd className="font-semibold">{people}</dd>
      </dl>
      {notes.length > 0 ? (
        <ul className="mt-5 space-y-2">
          {notes.map(text => (
            <li className="border-l-4 border-attention bg-raised px-4 py-2.5" key={text}>
              {text}
            </li>
          ))}
        </ul>
      ) : null}
      {refusal ? (
        <p className="mt-5 font-semibold text-attention" role="alert">
          {refusal}
        </p>
      ) : (
        <p className="mt-5">
          An issue is sent once. You can stop it, but a mail that has left cannot be taken back.
        </p>
      )}
      <form action={deskUrl(`${path}/send`)} className="mt-5 flex flex-wrap gap-3" method="post">
        <input name="hash" type="hidden" value={hash} />
        {refusal ? null : (
          <button className={buttonClass.primary} type="submit">
            Send to {people}
          </button>
        )}
        <a className={buttonClass.quiet} href={deskUrl(path)}>
          Not yet
        </a>
      </form>
    </div>
  );
}
