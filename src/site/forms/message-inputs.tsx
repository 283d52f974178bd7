import { HiddenFields } from 'site:endpoint';
import { memo } from 'react';
import { type FormName, formField, type MessageInput } from '../../api/contract.ts';
import { SelectField, TextAreaField, TextField } from './field.tsx';
import { describeFieldError } from './form-feedback.ts';

export type MessageInputsProps = {
  form: FormName;
  words: { name: string; email: string; message: string; hint: string };
  services?: { label: string; choose: string; names: string[] } | undefined;
  wrong: keyof MessageInput | undefined;
};

/** Memoised: the state of the submission changes nothing here except after a refusal. */
export const MessageInputs = memo(function MessageInputs({
  form,
  words,
  services,
  wrong,
}: MessageInputsProps) {
  function about(name: keyof MessageInput) {
    return { id: `${form}-${name}`, name, error: wrong === name ? describeFieldError(name) : undefined };
  }

  return (
    <>
      <input name={formField} type="hidden" value={form} />
      {services ? <SelectField {...about('service')} {...services} /> : null}
      <TextField {...about('name')} autoComplete="name" label={words.name} type="text" />
      <TextField
        {...about('email')}
        autoComplete="email"
        hintId={`${form}-hint`}
        label={words.email}
        type="email"
      />
      <TextAreaField {...about('message')} label={words.message} rows={6} />
      <HiddenFields form={form} />
      <p className="text-sm text-muted" id={`${form}-hint`}>
        {words.hint}
      </p>
    </>
  );
});
