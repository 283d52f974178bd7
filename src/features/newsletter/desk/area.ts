import type { DepsOf } from '../../../core/action.ts';
import type { DeskArea, OverviewTask } from '../../../core/desk/desk-area.ts';
import type { IssueSite } from '../../../core/issue-source.ts';
import { formatNumber } from '../../../lib/format-number.ts';
import { countIssue, countUnsent, findNewestIssue } from '../read-issues.ts';
import { countSubscribers } from '../read-subscribers.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import { addNewsletterRoutes } from './routes.ts';

type CountDeps = DepsOf<typeof countSubscribers>;
type IssueDeps = DepsOf<typeof findNewestIssue | typeof countIssue>;

type Needs = NewsletterDeskNeeds & { domainDeps: IssueDeps & CountDeps };

export function createNewsletterArea(site: IssueSite): DeskArea<Needs> {
  return {
    link: { area: 'newsletter', text: 'Newsletter' },
    path: '/newsletter',
    addRoutes: (app, deps) => addNewsletterRoutes(app, deps, site),
    listTasks: async ({ services }) => [await describeUnsentIssue(services.domainDeps)],
    describeWhenOff: ({ services }) => describeSubscribers(services.domainDeps),
  };
}

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

async function describeSubscribers(deps: CountDeps): Promise<OverviewTask | undefined> {
  const { pending, confirmed } = await countSubscribers(deps);
  const count = pending + confirmed;
  if (count === 0) return undefined;
  return {
    title: 'The newsletter is switched off',
    text: `${formatNumber(count)} ${count === 1 ? 'person has' : 'people have'} signed up. They can still unsubscribe, and you can still export and erase their data.`,
    link: 'To the switches',
    path: '/words/edit?file=site.yaml#field-features',
  };
}
