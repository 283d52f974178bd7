import { buttonClass } from '../../../ui/desk/button.ts';
import { deskUrl } from '../../../ui/desk/desk-url.ts';
import { TextField } from '../../../ui/desk/field.tsx';
import type { StartProps } from './props.ts';
import { Steps } from './steps.tsx';

export function PrivacyStart({ email, references, errors }: StartProps) {
  return (
    <div className="max-w-[44rem]">
      <Steps current={1} />
      <p className="mt-5 border-l-4 border-attention bg-raised px-4 py-3">
        <strong>Verify the identity first.</strong> Answer to the email address that is stored, or ask for
        something only the person knows. Data given to the wrong person cannot be taken back.
      </p>
      <form action={deskUrl('/privacy')} className="mt-6 grid gap-4" method="post">
        <TextField
          autoComplete="off"
          defaultValue={email}
          error={errors.email}
          hint="It is searched in messages, notes, the newsletter and the files on this machine."
          id="email"
          inputMode="email"
          label="Email address of the person"
          required
          spellCheck={false}
          type="text"
        />
        <TextField
          autoComplete="off"
          defaultValue={references}
          error={errors.references}
          hint="Optional. Messages of the same person that do not contain this address, by their references."
          id="references"
          label="Other messages of this person"
          spellCheck={false}
          type="text"
        />
        <div>
          <button className={buttonClass.primary} type="submit">
            Find what is stored
          </button>
        </div>
      </form>
    </div>
  );
}
