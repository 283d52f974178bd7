import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import type { ReleaseProps } from './props.ts';
import { ReleaseForm } from './release-form.tsx';

export function Release(props: ReleaseProps) {
  const { reasons, reason, since, sinceText, upTo, count, receivers, error } = props;
  const text = reasons.find(({ name }) => name === reason)?.text;
  return (
    <div className="max-w-[44rem]">
      {error ? null : (
        <p>
          <strong>{count === 1 ? '1 message' : `${count.toLocaleString('en-GB')} messages`}</strong>
          {sinceText ? ` received since ${sinceText}` : ''} {count === 1 ? 'is' : 'are'} in quarantine.
          Reason: {text}.
        </p>
      )}
      {count > 0 ? (
        <form action={deskUrl('/messages/release')} className="mt-3" method="post">
          <p>
            Releasing marks {count === 1 ? 'it' : 'them'} as new and delivers {count === 1 ? 'it' : 'each'}{' '}
            to: {receivers}. Messages that arrive from now on stay in quarantine.
          </p>
          {Object.entries({ reason, since, upTo }).map(([name, value]) => (
            <input key={name} name={name} type="hidden" value={value} />
          ))}
          <div className="mt-4 flex flex-wrap gap-2">
            <button className={buttonClass.primary} type="submit">
              Release {count === 1 ? '1 message' : `${count.toLocaleString('en-GB')} messages`}
            </button>
            <a className={buttonClass.quiet} href={deskUrl('/messages?state=quarantined')}>
              Cancel
            </a>
          </div>
        </form>
      ) : null}
      <ReleaseForm error={error} reason={reason} reasons={reasons} since={since} />
    </div>
  );
}
