import { contactPath, formField } from '../../api/contract.ts';
import { buttonLook } from './button.ts';
import { fieldLook } from './field.tsx';

type NewsletterBoxProps = {
  id: string;
  words: { label: string; placeholder: string; button: string; note: string };
};

/** Asks to be added: the request reaches the company as a message that names itself. A plain form post. */
export function NewsletterBox({ id, words }: NewsletterBoxProps) {
  return (
    <form action={contactPath} aria-describedby={`${id}-note`} className="grid gap-3" method="post">
      <input name={formField} type="hidden" value="newsletter" />
      <input name="service" type="hidden" value="Newsletter" />
      <label className="sr-only" htmlFor={id}>
        {words.label}
      </label>
      <div className="flex flex-wrap gap-3">
        <input
          autoComplete="email"
          className={`${fieldLook} min-w-0 flex-1 basis-52`}
          id={id}
          maxLength={254}
          name="email"
          placeholder={words.placeholder}
          required
          type="email"
        />
        <button className={buttonLook.primary} type="submit">
          {words.button}
        </button>
      </div>
      <p className="text-sm text-muted" id={`${id}-note`}>
        {words.note}
      </p>
    </form>
  );
}
