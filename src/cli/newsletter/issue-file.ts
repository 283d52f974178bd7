import { newsletterWords } from '../../server/newsletter-words.ts';
import { complain, reason } from '../complain.ts';
import { visible } from '../table.ts';

type Words = ReturnType<typeof newsletterWords>;
export type IssueFile = NonNullable<ReturnType<Words['readIssue']>['issue']>;

/** The issue in the file, or every mistake and the end of the command. */
export function readIssueFile(file: string): { draft: IssueFile; words: Words } {
  const words = readWords();
  const { issue, mistakes } = words.readIssue(file);
  if (issue) return { draft: issue, words };
  return complain(
    `${file} cannot be sent as it is:\n${mistakes.map(line => `  ${visible(line)}`).join('\n')}`,
  );
}

function readWords(): Words {
  try {
    return newsletterWords();
  } catch (error) {
    return complain(error instanceof Error ? error.message : reason(error));
  }
}
