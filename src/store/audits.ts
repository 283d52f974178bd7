import { type Kysely, sql } from 'kysely';
import type { AuditLinkRow, AuditReportRow, Tables } from './tables.ts';

export type Audits = ReturnType<typeof createAudits>;

export function createAudits(db: Kysely<Tables>) {
  const withoutLink = sql<boolean>`not exists (select 1 from audit_links where audit_links.report = audit_reports.id)`;
  return {
    add: async (report: AuditReportRow): Promise<void> =>
      void (await db.insertInto('audit_reports').values(report).execute()),
    addLink: async (link: AuditLinkRow): Promise<void> =>
      void (await db.insertInto('audit_links').values(link).execute()),
    get: (id: string): Promise<AuditReportRow | undefined> =>
      db.selectFrom('audit_reports').selectAll().where('id', '=', id).executeTakeFirst(),
    getLatest: (domain: string, since: string): Promise<AuditReportRow | undefined> =>
      db
        .selectFrom('audit_reports')
        .selectAll()
        .where('domain', '=', domain)
        .where('measured_at', '>', since)
        .orderBy('measured_at', 'desc')
        .limit(1)
        .executeTakeFirst(),
    getByLink: (hash: string, now: string): Promise<AuditReportRow | undefined> =>
      db
        .selectFrom('audit_links')
        .innerJoin('audit_reports', 'audit_reports.id', 'audit_links.report')
        .selectAll('audit_reports')
        .where('audit_links.hash', '=', hash)
        .where('audit_links.expires_at', '>', now)
        .executeTakeFirst(),
    /** With the report, if this was its last link. */
    deleteLink: (hash: string): Promise<boolean> =>
      db.transaction().execute(async transaction => {
        const link = await transaction
          .deleteFrom('audit_links')
          .where('hash', '=', hash)
          .returning('report')
          .executeTakeFirst();
        if (!link) return false;
        await transaction
          .deleteFrom('audit_reports')
          .where('id', '=', link.report)
          .where(withoutLink)
          .execute();
        return true;
      }),
    /** A report measured after `since` may be about to get its first link, and answers the next visitor. */
    deleteExpired: (now: string, since: string): Promise<{ links: number; reports: number }> =>
      db.transaction().execute(async transaction => {
        const links = await transaction
          .deleteFrom('audit_links')
          .where('expires_at', '<=', now)
          .executeTakeFirstOrThrow();
        const reports = await transaction
          .deleteFrom('audit_reports')
          .where('measured_at', '<=', since)
          .where(withoutLink)
          .executeTakeFirstOrThrow();
        return { links: Number(links.numDeletedRows), reports: Number(reports.numDeletedRows) };
      }),
  };
}
