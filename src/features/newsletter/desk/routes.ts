import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import type { IssueSite } from '../../../core/issue-source.ts';
import { createIssueActions } from '../actions/actions.ts';
import { addDraftRoutes } from './draft-routes.ts';
import { addImportRoutes } from './import-routes.ts';
import { addIssueRoutes } from './issue-routes.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import type { NewsletterPages } from './props.ts';
import { addSubscriberRoutes } from './subscriber-routes.ts';

export function addNewsletterRoutes(
  app: DeskApp,
  deps: DeskDeps<NewsletterDeskNeeds, NewsletterPages>,
  site: IssueSite,
): void {
  const actions = createIssueActions(site);
  addIssueRoutes(app, deps, actions);
  addDraftRoutes(app, deps, { site, actions });
  addImportRoutes(app, deps);
  addSubscriberRoutes(app, deps);
}
