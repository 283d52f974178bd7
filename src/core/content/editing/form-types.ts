/** A field of a form, as the schema of its file has it. */
export type FormField = {
  kind: 'text' | 'number' | 'boolean' | 'group' | 'list' | 'record';
  /** May be left out of the file, or be null in it. */
  isOptional?: true;
  isNullable?: true;
  /** Of a text such as 2020, which is written as a number. */
  isNumberToo?: true;
  /** Of a checkbox that is ticked where the file does not say. */
  isOnByDefault?: true;
  isMarkdown?: true;
  isDay?: true;
  /** An email or web address, however long it may be. */
  isAddress?: true;
  help?: string;
  min?: number;
  max?: number;
  words?: { min: number; max: number };
  options?: string[];
  fields?: Record<string, FormField>;
  item?: FormField;
};

/** For a list, by its path in the new value (joined by slashes): the former index of each item, null for a new one. */
export type ItemOrigins = Record<string, (number | null)[]>;

/** The comments of a file: about the file, and by the path of each field (joined by slashes). */
export type Remarks = { about: string; fields: Record<string, Remark> };
export type Remark = {
  help?: string;
  /** Empty where the text itself is prescribed; else the fact that it must state. */
  prescribed?: string;
};
