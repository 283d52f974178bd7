import type { DepsOf } from '../../../core/action.ts';
import type { Clock } from '../../../core/clock.ts';
import type { resume, sendTest, stop } from '../actions/issues.ts';
import type { planIssue, send } from '../actions/send-issue.ts';
import type { erase, getImportsPerHour, importList, suppress, unsuppress } from '../actions/subscribers.ts';
import type { exportSubscribers } from '../export-subscribers.ts';
import type { importSubscribers } from '../import-subscribers.ts';
import type { findIssue, readIssue, readIssueStatus } from '../read-issues.ts';
import type { countSubscribers, readSubscriber, searchSubscribers } from '../read-subscribers.ts';
import type { resendIssue } from '../send-issue.ts';
import type { buildIssueProps, buildIssuesProps } from './issue-props.ts';
import type { buildMailProps } from './mail.ts';

type IssueNeeds = {
  domainDeps: DepsOf<typeof findIssue> &
    DepsOf<typeof readIssue> &
    DepsOf<typeof readIssueStatus> &
    DepsOf<typeof resendIssue>;
} & DepsOf<typeof buildIssuesProps> &
  DepsOf<typeof buildIssueProps> &
  DepsOf<typeof buildMailProps> &
  DepsOf<typeof planIssue> &
  DepsOf<typeof send.run> &
  DepsOf<typeof sendTest.run> &
  DepsOf<typeof stop.run> &
  DepsOf<typeof resume.run>;

type SubscriberNeeds = {
  domainDeps: DepsOf<typeof countSubscribers> &
    DepsOf<typeof readSubscriber> &
    DepsOf<typeof searchSubscribers> &
    DepsOf<typeof exportSubscribers> &
    DepsOf<typeof importSubscribers>;
  config: { newsletter: DepsOf<typeof getImportsPerHour> };
} & DepsOf<typeof importList.run> &
  DepsOf<typeof suppress.run> &
  DepsOf<typeof unsuppress.run> &
  DepsOf<typeof erase.run>;

export type NewsletterDeskNeeds = IssueNeeds &
  SubscriberNeeds & { clock: Clock; config: { dataDir: string } };
