export type ContentError = {
  file: string;
  line: number;
  field: string;
  reason: string;
  /** Of the field in its file, where the error is about one. */
  path?: (string | number)[];
};

export function describeContentError(error: ContentError): string {
  return `content/${describeFileError(error)}`;
}

export function describeFileError({ file, line, field, reason }: ContentError): string {
  return `${file} line ${line}: ${field ? `${field} ` : ''}${reason}`.replaceAll(/\p{Cc}+/gu, ' ');
}
