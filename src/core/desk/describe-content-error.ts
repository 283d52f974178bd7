import type { ContentError } from '../content/content-error.ts';
import type { SaveResult } from '../content/editing/save-changes.ts';

/** Undefined where it was saved, or nothing had changed. */
export function describeSaveFailure(result: SaveResult): string | undefined {
  if (result.state === 'changed-meanwhile')
    return 'This was changed elsewhere while you worked on it. Open the page again and repeat your change.';
  if (result.state === 'refused')
    return result.errors
      .map(({ file, field, reason }) => `${file}: ${field ? `${field} ` : ''}${reason}.`)
      .join(' ');
  return result.state === 'failed' ? result.reason : undefined;
}

export function describeSyntaxError({ file, line, reason }: ContentError): string {
  return `content/${file}, line ${line}: ${reason}. Correct it in a text editor, then open it again.`;
}
