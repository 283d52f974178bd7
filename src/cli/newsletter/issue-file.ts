import { dirname } from 'node:path';
import { readIssueFile } from '../../build/read-issue-file.ts';
import type { NewsletterIssue } from '../../content/read-newsletter-issue.ts';
import { findPublishedContent } from '../../server/current-build.ts';
import { contentFolder } from '../../server/mail-texts.ts';
import { exitWithError, printNote } from '../print.ts';

export const publishedFolder = () => findPublishedContent(dirname(contentFolder));

export function readIssueOrExit(file: string): NewsletterIssue {
  const folders = { content: contentFolder, published: publishedFolder() };
  const read = readIssueFile(folders, file, new Date());
  if (!read.issue)
    return exitWithError(`${file} has validation errors:`, ...read.errors.map(({ text }) => `  ${text}`));
  for (const warning of read.warnings) printNote(`Warning: ${warning}`);
  return read.issue;
}
