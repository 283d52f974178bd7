import { memo } from 'react';
import { type FormName, formField, type MessageInput, trapField, unsentField } from '../../api/contract.ts';
import { ChoiceField, TextArea, TextField } from './field.tsx';
import { describeField } from './refusal.ts';
import { TrapField } from './trap-field.tsx';

export type MessageInputsProps = {
  form: FormName;
  words: { name: string; email: string; message: string; hint: string };
  /** What the visitor may choose from, where the form is a request for one of our services. */
  services?: { label: string; choose: string; names: string[] } | undefined;
  /** The field that the server did not take. */
  wrong: keyof MessageInput | undefined;
};

/**
 * What a visitor fills in, and what goes with it. How its sending goes changes nothing here but for a refusal, so it is
 * left alone until one.
 */
export const MessageInputs = memo(function MessageInputs({
  form,
  words,
  services,
  wrong,
}: MessageInputsProps) {
  function about(name: keyof MessageInput) {
    return { id: `${form}-${name}`, name, error: wrong === name ? describeField(name) : undefined };
  }

  return (
    <>
      <input name={formField} type="hidden" value={form} />
      {import.meta.env.IS_STATIC ? null : <input name={unsentField} type="hidden" />}
      {services ? <ChoiceField {...about('service')} {...services} /> : null}
      <TextField {...about('name')} autoComplete="name" label={words.name} type="text" />
      <TextField
        {...about('email')}
        autoComplete="email"
        hintId={`${form}-hint`}
        label={words.email}
        type="email"
      />
      <TextArea {...about('message')} label={words.message} rows={6} />
      {import.meta.env.IS_STATIC ? null : <TrapField id={`${form}-${trapField}`} />}
      <p className="text-sm text-muted" id={`${form}-hint`}>
        {words.hint}
      </p>
    </>
  );
});
