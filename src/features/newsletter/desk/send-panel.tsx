import { formatNumber } from '../../../lib/format-number.ts';
import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { TextField } from '../../../ui/desk/field.tsx';
import type { MailProps } from './props.ts';

/** Sends what is saved. */
export function SendPanel({ path, testTo, confirmed, isUnsaved }: MailProps & { isUnsaved: boolean }) {
  if (isUnsaved)
    return (
      <section className="rounded-card border border-edge p-5">
        <h2 className="text-base">Send it</h2>
        <p className="mt-2">Save first: what you have changed is not in the mail yet.</p>
      </section>
    );
  return (
    <section className="grid items-end gap-5 rounded-card border border-edge p-5 sm:grid-cols-2">
      <h2 className="text-base sm:col-span-2">Send it</h2>
      <form action={deskUrl(`${path}/test`)} className="grid gap-3" method="post">
        <TextField
          autoComplete="email"
          defaultValue={testTo}
          id="to"
          inputMode="email"
          label="A test to this address"
          required
          spellCheck={false}
          type="text"
        />
        <div>
          <button className={buttonClass.quiet} type="submit">
            Send a test
          </button>
        </div>
      </form>
      <div>
        <p className="mb-3">
          To all: {formatNumber(confirmed)} confirmed {confirmed === 1 ? 'subscriber' : 'subscribers'}. The
          next page asks once more.
        </p>
        <a className={buttonClass.quiet} href={deskUrl(`${path}/send`)}>
          Send to all…
        </a>
      </div>
    </section>
  );
}
