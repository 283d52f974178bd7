import { HiddenFields } from 'site:forms';
import { memo } from 'react';
import { formField } from '../../../ui/contract.ts';
import { SelectField, TextAreaField, TextField } from '../../../ui/forms/field.tsx';
import type { FormName } from '../contract.ts';
import { type MessageFieldName, type MessageFields, messageFields } from '../message-fields.ts';
import { describeFieldError } from './describe-refusal.ts';

/** A form has the fields that have a label in its texts. */
export type MessageTexts = Partial<MessageFields> & { hint: string };

export type MessageInputsProps = {
  form: FormName;
  texts: MessageTexts;
  choices?: { choose: string; names: string[] } | undefined;
  invalidField: MessageFieldName | undefined;
};

type Field = (typeof messageFields)[number];

const isChoice = ({ input }: Field) => input === 'choice';
const fieldsInOrder = [...messageFields.filter(isChoice), ...messageFields.filter(field => !isChoice(field))];

export const MessageInputs = memo(function MessageInputs({
  form,
  texts,
  choices,
  invalidField,
}: MessageInputsProps) {
  function renderField(field: Field) {
    const { name, input } = field;
    const label = texts[name];
    if (label === undefined) return null;
    const error = invalidField === name ? describeFieldError(name) : undefined;
    const props = { id: `${form}-${name}`, name, label, error };
    const autoComplete = 'autoComplete' in field ? field.autoComplete : undefined;
    switch (input) {
      case 'choice':
        return choices && <SelectField key={name} {...props} {...choices} />;
      case 'text':
        return <TextAreaField key={name} {...props} rows={6} />;
      case 'email':
        return (
          <TextField key={name} {...props} autoComplete={autoComplete} hintId={`${form}-hint`} type="email" />
        );
      case 'line':
        return <TextField key={name} {...props} autoComplete={autoComplete} type="text" />;
    }
  }

  return (
    <>
      <input name={formField} type="hidden" value={form} />
      {fieldsInOrder.map(renderField)}
      <HiddenFields form={form} />
      <p className="text-sm text-muted" id={`${form}-hint`}>
        {texts.hint}
      </p>
    </>
  );
});
