export type MessageField = {
  name: string;
  /** In mails, sheets, exports and at the desk. The visitor's label is in content/. */
  label: string;
  /** A 'choice' has its options from content/, and stands first in a form; a 'text' has several lines. */
  input: 'line' | 'email' | 'choice' | 'text';
  autoComplete?: string;
  /** It says who wrote, and can be corrected on request. */
  isPersonal: boolean;
};

/**
 * The fields of a contact message, each optional text, in the order of mails, sheets and exports.
 * A new one is an entry here, its labels in content/ and a migration that adds its column.
 */
export const messageFields = [
  { name: 'name', label: 'Name', input: 'line', autoComplete: 'name', isPersonal: true },
  { name: 'email', label: 'Email', input: 'email', autoComplete: 'email', isPersonal: true },
  { name: 'service', label: 'Service', input: 'choice', isPersonal: false },
  { name: 'message', label: 'Message', input: 'text', isPersonal: false },
] as const satisfies readonly MessageField[];

type Field = (typeof messageFields)[number];
export type MessageFieldName = Field['name'];
export type MessageFields = Record<MessageFieldName, string>;
export type PersonalFieldName = Extract<Field, { isPersonal: true }>['name'];
/** Corrected values of personal fields; a field that is left out stays as it is. */
export type Correction = Partial<Record<PersonalFieldName, string>>;

export const messageFieldNames: readonly MessageFieldName[] = messageFields.map(({ name }) => name);
export const personalFields = messageFields.filter(
  (field): field is Extract<Field, { isPersonal: true }> => field.isPersonal,
);
/** Shown beside the message's text. */
export const detailFields = messageFields.filter(
  (field): field is Exclude<Field, { input: 'text' }> => field.input !== 'text',
);

export function pickMessageFields(fields: MessageFields): MessageFields {
  return mapMessageFields(name => fields[name]);
}

export function mapMessageFields(get: (name: MessageFieldName) => string): MessageFields {
  return Object.fromEntries(messageFieldNames.map(name => [name, get(name)])) as MessageFields;
}

/** Accepted and stored all the same, but the visitor is told that nothing was written. */
export function isEmptyMessage(fields: Partial<MessageFields>): boolean {
  return messageFieldNames.every(name => !fields[name]?.trim());
}

/** Browsers post line breaks as CR LF. */
export function hasSameFields(one: MessageFields, other: MessageFields): boolean {
  const normalize = (text: string) => text.replaceAll('\r\n', '\n');
  return messageFieldNames.every(name => normalize(one[name]) === normalize(other[name]));
}
