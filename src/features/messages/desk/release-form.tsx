import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { Field, inputClass, TextField } from '../../../ui/desk/field.tsx';
import type { ReleaseProps, SpamReason } from './props.ts';

type ReleaseFormProps = { reasons: SpamReason[] } & Partial<Pick<ReleaseProps, 'reason' | 'since' | 'error'>>;

/** Leads to a page that names the number before anything is released. */
export function ReleaseForm({ reasons, reason, since, error }: ReleaseFormProps) {
  return (
    <form
      action={deskUrl('/messages/release')}
      className="mt-8 max-w-[60rem] border-t border-hairline pt-5"
      method="get"
    >
      <h2 className="text-lg">Release many at once</h2>
      <p className="mt-1 text-sm text-muted">
        After a flood: every message that is in quarantine for one reason. You see their number first.
      </p>
      <div className="mt-3 grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_12rem_auto]">
        <Field error={error} id="reason" label="In quarantine because">
          <select
            aria-invalid={error ? true : undefined}
            className={inputClass}
            defaultValue={reason || 'flood'}
            id="reason"
            name="reason"
          >
            {reasons.map(({ name, text }) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </Field>
        <TextField defaultValue={since} id="released-since" label="Received since" name="since" type="date" />
        <button className={`${buttonClass.quiet} sm:mt-6`} type="submit">
          Continue
        </button>
      </div>
    </form>
  );
}
