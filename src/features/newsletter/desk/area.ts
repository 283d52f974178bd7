import type { DepsOf } from '../../../core/action.ts';
import type { DeskArea, OverviewTask } from '../../../core/desk/desk-area.ts';
import { formatNumber } from '../../../lib/format-number.ts';
import { countIssue, countUnsent, findNewestIssue } from '../read-issues.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import { addNewsletterRoutes } from './routes.ts';

type IssueDeps = DepsOf<typeof findNewestIssue> & DepsOf<typeof countIssue>;

export const newsletterArea: DeskArea<NewsletterDeskNeeds & { domainDeps: IssueDeps }> = {
  link: { area: 'newsletter', text: 'Newsletter' },
  addRoutes: addNewsletterRoutes,
  listTasks: async ({ services }) => [await describeUnsentIssue(services.domainDeps)],
};

async function describeUnsentIssue(deps: IssueDeps): Promise<OverviewTask | undefined> {
  const stopped = await findNewestIssue(deps, 'held');
  const issue = stopped ?? (await findNewestIssue(deps, 'unsent'));
  if (!issue) return undefined;
  const counts = await countIssue(deps, issue.reference);
  const left = stopped ? counts.held : countUnsent(counts);
  return {
    title: stopped ? 'A newsletter issue is stopped' : 'A newsletter issue is being sent',
    text: `‘${issue.subject}’: ${formatNumber(left)} ${left === 1 ? 'subscriber has' : 'subscribers have'} not got it yet.`,
    link: 'Open the newsletter',
    path: '/newsletter',
  };
}
