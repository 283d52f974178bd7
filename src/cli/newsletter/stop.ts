import { basename } from 'node:path';
import { isPostFile, postIssueName } from '../../content/blog/post-issue.ts';
import { contentFolder } from '../../server/newsletter-words.ts';
import type { Wired } from '../../server/wire.ts';
import { fail, note, print } from '../say.ts';
import { type Call, count } from './call.ts';
import { type Counts, waitingIn } from './follow.ts';

export async function stop({ store: { issues }, clock }: Wired, call: Call): Promise<void> {
  const issue = await findIssue(issues, call, waitingIn, 'No issue has letters that wait.');
  if (!issue) return;
  const held = await issues.hold(issue.reference, clock.now().toISOString());
  if (call.values.json) return print({ name: issue.name, held });
  const { sending } = await issues.count(issue.reference);
  if (held + sending === 0) return fail(`Nothing of ${issue.name} waits.`);
  note(
    `${count(held, 'letter')} of ${issue.name} held. Those that are under way may still arrive, or are held, too.`,
  );
  note(`To go on: npm run newsletter -- resume ${issue.name}`);
}

export async function resume({ store: { issues, outbox }, clock }: Wired, call: Call): Promise<void> {
  const issue = await findIssue(issues, call, ({ held }) => held, 'No issue has letters that are held.');
  if (!issue) return;
  const letGo = await issues.letGo(issue.reference, clock.now().toISOString());
  const isUnpaused = await outbox.resume('newsletter');
  if (call.values.json) return print({ name: issue.name, letGo });
  if (isUnpaused) note('Sending was paused; it is no longer.');
  else if (letGo === 0) return fail(`Nothing of ${issue.name} is held.`);
  note(`${count(letGo, 'letter')} of ${issue.name} due now, for the server that runs or starts next.`);
}

type Issues = Wired['store']['issues'];

/** The one that was named, by its name or its file, or the newest of which there is any. */
async function findIssue(
  issues: Issues,
  { given: [name] }: Call,
  relevant: (counts: Counts) => number,
  none: string,
) {
  if (name !== undefined) return findNamed(issues, name);
  for (const issue of await issues.list(100)) {
    if (relevant(await issues.count(issue.reference)) > 0) return issue;
  }
  fail(none);
  return undefined;
}

export async function findNamed(issues: Issues, name: string) {
  const plain = basename(name, '.md');
  // Another issue may have the name of a post's file.
  const other = isPostFile(contentFolder, name) ? undefined : await issues.find(plain);
  const issue = other ?? (await issues.find(nameOfPost(plain)));
  if (!issue) fail(`There is no issue '${plain}'.`);
  return issue;
}

/** A post of the blog may be named by its file, too. */
function nameOfPost(file: string): string {
  return postIssueName(file.replace(/^\d{4}-\d{2}-\d{2}-/, ''));
}
