export type ContentError = {
  file: string;
  line: number;
  field: string;
  reason: string;
  /** Of the field in its file, where the error is about one. */
  path?: (string | number)[];
};

/** What publishing refuses; `place` is in a file of the project. */
export type Problem = { place?: { file: string; line: number }; reason: string };

export function toProblem({ file, line, field, reason }: ContentError): Problem {
  return { place: { file: `content/${file}`, line }, reason: field ? `${field} ${reason}` : reason };
}

export function describeProblem({ place, reason }: Problem): string {
  const text = place ? `${place.file} line ${place.line}: ${reason}` : reason;
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

export function describeContentError(error: ContentError): string {
  return describeProblem(toProblem(error));
}

export function describeFileError({ file, line, field, reason }: ContentError): string {
  return describeProblem({ place: { file, line }, reason: field ? `${field} ${reason}` : reason });
}
