import { HiddenFields } from 'site:forms';
import { memo } from 'react';
import { type FormName, formField, type MessageInput } from '../../api/contract.ts';
import { SelectField, TextAreaField, TextField } from './field.tsx';
import { describeFieldError } from './form-feedback.ts';

export type MessageInputsProps = {
  form: FormName;
  texts: { name: string; email: string; message: string; hint: string };
  services?: { label: string; choose: string; names: string[] } | undefined;
  invalidField: keyof MessageInput | undefined;
};

export const MessageInputs = memo(function MessageInputs({
  form,
  texts,
  services,
  invalidField,
}: MessageInputsProps) {
  function fieldProps(name: keyof MessageInput) {
    return {
      id: `${form}-${name}`,
      name,
      error: invalidField === name ? describeFieldError(name) : undefined,
    };
  }

  return (
    <>
      <input name={formField} type="hidden" value={form} />
      {services ? <SelectField {...fieldProps('service')} {...services} /> : null}
      <TextField {...fieldProps('name')} autoComplete="name" label={texts.name} type="text" />
      <TextField
        {...fieldProps('email')}
        autoComplete="email"
        hintId={`${form}-hint`}
        label={texts.email}
        type="email"
      />
      <TextAreaField {...fieldProps('message')} label={texts.message} rows={6} />
      <HiddenFields form={form} />
      <p className="text-sm text-muted" id={`${form}-hint`}>
        {texts.hint}
      </p>
    </>
  );
});
