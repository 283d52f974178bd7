import { readIssueFile } from '../../build/read-issue-file.ts';
import type { NewsletterIssue } from '../../content/read-newsletter-issue.ts';
import { contentFolder } from '../../server/mail-texts.ts';
import { exitWithError } from '../print.ts';

export function readIssueOrExit(file: string): NewsletterIssue {
  const { issue, errors } = readIssueFile(contentFolder, file, new Date());
  return issue ?? exitWithError(`${file} has validation errors:`, ...errors.map(({ text }) => `  ${text}`));
}
