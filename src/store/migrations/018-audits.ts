import { sql, type Transaction } from 'kysely';
import type { Tables } from '../tables.ts';

/** Reports of the free audit, the links that visitors have to them, and which report a message is about. */
export async function up(db: Transaction<Tables>): Promise<void> {
  await sql`create table audit_reports (
    id text primary key,
    domain text not null,
    measured_at text not null,
    report text not null)`.execute(db);
  await sql`create index audit_reports_domain on audit_reports (domain, measured_at)`.execute(db);
  await sql`create table audit_links (
    hash text primary key,
    report text not null,
    created_at text not null,
    expires_at text not null)`.execute(db);
  await sql`create index audit_links_report on audit_links (report)`.execute(db);
  await sql`create index audit_links_expires_at on audit_links (expires_at)`.execute(db);
  await sql`alter table messages add column audit_report text`.execute(db);
}
