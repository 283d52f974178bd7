import { basename } from 'node:path';
import { getPostIssueName, isPostFile } from '../../content/blog/post-to-newsletter-issue.ts';
import { contentFolder } from '../../server/newsletter-texts.ts';
import type { Wired } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { formatCount, printError, printJson, printNote } from '../print.ts';
import { type Counts, countUnsent } from './follow-issue.ts';

type Values = Flags<'json'>;

export async function stop(
  { store: { issues }, clock }: Wired,
  name: string | undefined,
  values: Values,
): Promise<void> {
  const issue = await findIssue(issues, name, countUnsent, 'No issue has letters that wait.');
  if (!issue) return;
  const held = await issues.hold(issue.reference, clock.now().toISOString());
  if (values.json) return printJson({ name: issue.name, held });
  const { sending } = await issues.count(issue.reference);
  if (held + sending === 0) return printError(`Nothing of ${issue.name} waits.`);
  printNote(
    `${formatCount(held, 'letter')} of ${issue.name} held. Those that are under way may still arrive, or are held, too.`,
  );
  printNote(`To go on: npm run newsletter -- resume ${issue.name}`);
}

export async function resume(
  { store: { issues, receivers }, clock }: Wired,
  name: string | undefined,
  values: Values,
): Promise<void> {
  const issue = await findIssue(issues, name, ({ held }) => held, 'No issue has letters that are held.');
  if (!issue) return;
  const letGo = await issues.letGo(issue.reference, clock.now().toISOString());
  const isUnpaused = await receivers.resume('newsletter');
  if (values.json) return printJson({ name: issue.name, letGo });
  if (isUnpaused) printNote('Sending was paused; it is no longer.');
  else if (letGo === 0) return printError(`Nothing of ${issue.name} is held.`);
  printNote(
    `${formatCount(letGo, 'letter')} of ${issue.name} due now, for the server that runs or starts next.`,
  );
}

type Issues = Wired['store']['issues'];

async function findIssue(
  issues: Issues,
  name: string | undefined,
  relevant: (counts: Counts) => number,
  none: string,
) {
  if (name !== undefined) return findNamed(issues, name);
  for (const issue of await issues.list(100)) {
    if (relevant(await issues.count(issue.reference)) > 0) return issue;
  }
  printError(none);
  return undefined;
}

export async function findNamed(issues: Issues, name: string) {
  const plain = basename(name, '.md');
  // Another issue may have the name of a post's file.
  const other = isPostFile(contentFolder, name) ? undefined : await issues.find(plain);
  const issue = other ?? (await issues.find(nameOfPost(plain)));
  if (!issue) printError(`There is no issue '${plain}'.`);
  return issue;
}

function nameOfPost(file: string): string {
  return getPostIssueName(file.replace(/^\d{4}-\d{2}-\d{2}-/, ''));
}
