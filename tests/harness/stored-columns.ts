/** Of tables with rows about people: a feature finds, exports, erases and expires them (`tests/personal-data.test.ts`). */
export const personalColumns = listColumns({
  attempts: 'ended_at number reason receiver reference state',
  audit: 'action counts done_at hash',
  audit_reports: 'domain id measured_at report',
  deliveries: `attempts created_at due_at is_ambiguous is_possible_duplicate issue kind last_failure lease lease_until mailbox
    network payload receiver reference settled_at state subscriber`,
  messages: `answered_at audit_report closed_at email idempotency_key message name quarantine_reason received_at reference search_text
    service state`,
  notes: 'created_at reference text',
  rate_counts: 'client count resets_at',
  sign_ups: 'address consent_text form id network requested_at subscriber',
  subscribers: `address confirmed_at consent_requested_at consent_text form id mailed_at request_consent_text request_form
    requested_at state suppressed_at suppression_reason unsubscribed_at`,
  tokens: 'expires_at hash subscriber',
});
/** What knows nothing of any visitor: the database's own state, our keys and words, and the state of a receiver. */
export const technicalColumns = listColumns({
  audit_links: 'created_at expires_at hash report',
  consent_texts: 'first_used_at id text',
  migrations: 'applied_at name',
  newsletter_issues: 'hash held_at html name queued_at reference subject text',
  readiness: 'checks id',
  receivers: 'name pause_reason paused_at',
  scheduled_runs: 'done_at name',
  secrets: 'created_at name value',
  throttles: 'receiver used_until',
});

function listColumns(tables: Record<string, string>): string[] {
  return Object.entries(tables).flatMap(([table, names]) =>
    names.split(/\s+/).map(name => `${table}.${name}`),
  );
}
