import { basename } from 'node:path';
import { getPostIssueName, isPostFile } from '../../content/blog/post-to-newsletter-issue.ts';
import { findIssue, findNewestIssue } from '../../domain/newsletter/read-issues.ts';
import { pauseIssue, resumeIssue } from '../../domain/newsletter/send-issue.ts';
import { contentFolder } from '../../server/mail-texts.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';

type Values = Flags<'json'>;
type Deps = Services['domainDeps'];

export async function stop(
  { domainDeps }: Services,
  name: string | undefined,
  values: Values,
): Promise<void> {
  const issue = await (name === undefined
    ? findNewestIssue(domainDeps, 'unsent')
    : findNamed(domainDeps, name));
  if (!issue) return name === undefined ? printError('no issue has waiting mails') : undefined;
  const { held, sending } = await pauseIssue(domainDeps, issue.reference);
  if (values.json) printJson({ name: issue.name, held });
  if (held + sending === 0) return printError(`${issue.name} has no waiting mails`);
  if (values.json) return;
  printNote(`${formatCount(held, 'mail')} of ${issue.name} held. Mails being sent now may still arrive.`);
  printNote(`To continue: npm run newsletter -- resume ${issue.name}`);
}

export async function resume(
  { domainDeps }: Services,
  name: string | undefined,
  values: Values,
): Promise<void> {
  const issue = await (name === undefined
    ? findNewestIssue(domainDeps, 'held')
    : findNamed(domainDeps, name));
  if (!issue) return name === undefined ? printError('no issue has held mails') : undefined;
  const { resumed, wasPaused } = await resumeIssue(domainDeps, issue.reference);
  if (values.json) printJson({ name: issue.name, resumed });
  if (!wasPaused && resumed === 0) return printError(`${issue.name} has no held mails`);
  if (values.json) return;
  if (wasPaused) printNote('Sending is no longer paused');
  printNote(
    `${formatCount(resumed, 'mail')} of ${issue.name} due now; the running server, or the next, will send them`,
  );
}

export async function findNamed(deps: Pick<Deps, 'issues'>, name: string) {
  const plain = basename(name, '.md');
  const postName = getPostIssueName(plain.replace(/^\d{4}-\d{2}-\d{2}-/, ''));
  // Another issue may have the name of a post's file.
  const issue = await findIssue(deps, isPostFile(contentFolder, name) ? [postName] : [plain, postName]);
  if (!issue) printError(`no issue named '${plain}'`);
  return issue;
}
