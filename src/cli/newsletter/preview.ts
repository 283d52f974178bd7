import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../../lib/error-message.ts';
import type { Config } from '../../server/config.ts';
import { renderPreview } from '../../server/create-newsletter.ts';
import { getMailTexts } from '../../server/mail-texts.ts';
import type { Flags } from '../command.ts';
import { exitWithError, orExit, printJson, printNote } from '../print.ts';
import { printLines } from '../terminal.ts';
import { publishedFolder, readIssueOrExit } from './issue-file.ts';

export async function preview(
  { siteUrl, port, dataDir }: Config,
  file: string,
  { json: isJson }: Flags<'json'>,
): Promise<void> {
  const draft = readIssueOrExit(file);
  const base = siteUrl ?? `http://localhost:${port}`;
  const issue = renderPreview(draft, orExit(() => getMailTexts(publishedFolder())).issue, base);
  const folder = join(dataDir, 'newsletter');
  const files = { html: join(folder, `${draft.name}.html`), text: join(folder, `${draft.name}.txt`) };
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writePrivate(
      files.html,
      issue.html.replace('<title>', '<meta name="robots" content="noindex">\n<title>'),
    );
    writePrivate(files.text, issue.text);
  } catch (error) {
    exitWithError(`cannot write the preview: ${errorMessage(error)}`);
  }
  if (isJson) return printJson({ subject: issue.subject, ...files });
  printNote(`Subject: ${issue.subject}`);
  if (!siteUrl) printNote(`SITE_URL is not set; links point to ${base}`);
  printLines([files.html, files.text]);
}

function writePrivate(file: string, text: string): void {
  writeFileSync(file, text, { mode: 0o600 });
  chmodSync(file, 0o600);
}
