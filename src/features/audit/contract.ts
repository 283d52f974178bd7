import type { AuditGrade, CheckGroup, CheckStatus } from './terms.ts';

/** What browser and server agree on; runs in both. `page` is indexed; a report's address is `report` and a token. */
export const auditPaths = { page: '/audit', about: '/audit/about', report: '/audit/report' } as const;
/** Posted by the script; answers with one AuditEvent a line. Without JavaScript the form posts to its own page. */
export const auditApiPath = '/api/audit';
/** The server replaces what is between these comments of the page `report` by a report or its progress. */
export const auditTemplate = { start: '<!--report-->', end: '<!--/report-->' } as const;
/** Fields of the forms without JavaScript. A refusal is a redirect to the page with its AuditFailure as the fragment. */
export const auditFields = { domain: 'domain', action: 'action', delete: 'delete' } as const;
/** In the redirect after a report was deleted. */
export const deletedFragment = 'deleted';
/** The words of `check` and `finding` are in content/audit.yaml; `values` fill their placeholders. */
export type AuditResult = {
  check: string;
  group: CheckGroup;
  status: CheckStatus;
  finding: string;
  values: Record<string, string>;
  evidence: string[];
};

export type AuditReport = {
  /** For a contact message about it: it opens nothing. */
  id: string;
  domain: string;
  measuredAt: string;
  /** Of what could be measured, from 0 to 100; null where nothing could. */
  score: number | null;
  grade: AuditGrade | null;
  /** Ids of `caps` in content/audit.yaml: why the grade is worse than the points. */
  caps: string[];
  groups: { group: CheckGroup; score: number | null }[];
  /** Ids of the checks to act on first, at most three. */
  first: string[];
  results: AuditResult[];
};

export type AuditEvent =
  | { type: 'waiting'; ahead: number; seconds: number }
  | { type: 'started'; checks: { check: string; group: CheckGroup }[] }
  | { type: 'result'; result: AuditResult }
  /** `path` is this visitor's own link; `ageSeconds` is over 0 for a result that was measured earlier. */
  | { type: 'report'; report: AuditReport; path: string; ageSeconds: number }
  | { type: 'failed'; reason: AuditFailure };

/** Why there is no report; the words are in content/audit.yaml. */
export type AuditFailure =
  | 'invalid-domain'
  | 'not-offered'
  | 'too-many'
  | 'checked-recently'
  | 'busy'
  | 'off'
  | 'no-answer'
  | 'unexpected';
