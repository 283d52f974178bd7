import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import type { IssueActions } from '../actions/actions.ts';
import type { planIssue } from '../actions/send-issue.ts';
import type { erase, getImportsPerHour, importList, suppress, unsuppress } from '../actions/subscribers.ts';
import type { exportSubscribers } from '../export-subscribers.ts';
import type { importSubscribers } from '../import-subscribers.ts';
import type { findIssue, readIssue, readIssueStatus } from '../read-issues.ts';
import type { countSubscribers, readSubscriber, searchSubscribers } from '../read-subscribers.ts';
import type { resendIssue } from '../send-issue.ts';
import type { buildIssueProps, buildIssuesProps } from './issue-props.ts';
import type { buildMailProps } from './mail.ts';

type IssueNeeds = {
  domainDeps: DepsOf<typeof findIssue | typeof readIssue | typeof readIssueStatus | typeof resendIssue>;
} & DepsOf<
  | typeof buildIssuesProps
  | typeof buildIssueProps
  | typeof buildMailProps
  | typeof planIssue
  | IssueActions['send' | 'sendTest' | 'stop' | 'resume']['run']
>;

type SubscriberNeeds = {
  domainDeps: DepsOf<
    | typeof countSubscribers
    | typeof readSubscriber
    | typeof searchSubscribers
    | typeof exportSubscribers
    | typeof importSubscribers
  >;
  config: { newsletter: DepsOf<typeof getImportsPerHour> };
} & DepsOf<typeof importList.run | typeof suppress.run | typeof unsuppress.run | typeof erase.run>;

export type NewsletterDeskNeeds = IssueNeeds &
  SubscriberNeeds & { clock: Clock; config: { dataDir: string } };
