import { type MessageInput, messageFields, trapField } from '../api/contract.ts';

type Fields = Partial<MessageInput>;
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

export function readFields(form: HTMLFormElement): Fields {
  const data = new FormData(form);
  return Object.fromEntries(messageFields.filter(name => data.has(name)).map(name => [name, data.get(name)]));
}

/** It is no part of the message: one that is kept and taken up again has none. */
export function readTrap(form: HTMLFormElement): string {
  return String(new FormData(form).get(trapField) ?? '');
}

/** Never over what a visitor has typed. */
export function fillFields(form: HTMLFormElement, fields: Fields): void {
  for (const [name, field] of findFields(form)) field.value ||= fields[name] ?? '';
}

export function isSame(one: Fields, other: Fields): boolean {
  return messageFields.every(name => one[name] === other[name]);
}

function findFields(form: HTMLFormElement): [keyof MessageInput, Field][] {
  return messageFields.flatMap(name => {
    const field = form.elements.namedItem(name);
    return field ? [[name, field as Field]] : [];
  });
}
