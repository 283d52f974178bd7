import { limits } from '../../../lib/limits.ts';
import { buttonClass } from '../../../ui/components/button.ts';
import { errorAttributes, FieldError } from '../../../ui/forms/field.tsx';

export type SignUpTexts = { label: string; placeholder: string; button: string; note: string };

type NewsletterFieldsProps = {
  id: string;
  texts: SignUpTexts;
  isBusy?: boolean;
  error?: string | undefined;
};

export function NewsletterFields({ id, texts, isBusy, error }: NewsletterFieldsProps) {
  return (
    <>
      <label className="sr-only" htmlFor={id}>
        {texts.label}
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          autoComplete="email"
          className="field min-w-0 flex-1 basis-52"
          id={id}
          {...errorAttributes(id, error)}
          // One more than an address can have: a longer one is refused, not cut into another address.
          maxLength={limits.maxEmailLength + 1}
          name="email"
          placeholder={texts.placeholder}
          required
          type="email"
        />
        <button aria-disabled={isBusy || undefined} className={buttonClass.primary} type="submit">
          {texts.button}
        </button>
      </div>
      {/* Enter keeps the focus in the field, so no focus change would announce the error. */}
      <div aria-live="polite" className="grid gap-3">
        <FieldError error={error} id={id} />
        <p className={noteClass} id={`${id}-note`}>
          {texts.note}
        </p>
      </div>
    </>
  );
}

export const noteClass = 'text-sm text-muted';
