import type { AuditNetwork } from '../../core/network/network.ts';
import type { CheckGroup, CheckStatus } from './terms.ts';

/** Checks keep no more: a hostile answer holds thousands. */
export const maxEvidenceLines = 8;

export type CheckResult = {
  /** The check's id, as in content/audit.yaml. */
  check: string;
  group: CheckGroup;
  status: CheckStatus;
  /** Which of the check's findings applies; its words are in content/audit.yaml. */
  finding: string;
  /** Fill the placeholders of the finding's words. Collected from the outside: untrusted. */
  values: Record<string, string>;
  /** Records, headers or dates as they were seen, at most a few lines. Untrusted. */
  evidence: string[];
};

/** What a check found: `run-audit.ts` adds the check's id, its group and the status of the finding. */
export type Finding = { finding: string; values?: Record<string, string>; evidence?: string[] };

export type Check = {
  id: string;
  group: CheckGroup;
  /** Every finding that the check can report, with the status that it means. */
  findings: Record<string, CheckStatus>;
  /** A thrown error is reported as the finding `not-measurable`, which every check has besides its own. */
  run(context: CheckContext): Promise<Finding>;
};

export type CheckContext = {
  /** The audited domain in ASCII, lower case, without a trailing dot. */
  domain: string;
  network: AuditNetwork;
  now: Date;
};
