import { type Kysely, sql } from 'kysely';
import { createGroupCommit } from '../../../core/database/group-commit.ts';
import { isSqlite, splitBatches } from '../../../core/database/query-helpers.ts';
import type { AuditLinkRow, AuditReportRow, Tables } from '../../../core/database/tables.ts';

export type Audits = ReturnType<typeof createAudits>;

const groupLimits = { maxGroupSize: 100, maxWaiting: 1000, isFatalDatabaseError: () => false };

export function createAudits(db: Kysely<Tables>) {
  const withoutLink = sql<boolean>`not exists (select 1 from audit_links where audit_links.report = audit_reports.id)`;
  /** Audits that end together share a commit, so that a message which arrives meanwhile waits for one. */
  const groupInserts = <Row>(insert: (rows: Row[]) => Promise<unknown>) =>
    createGroupCommit<Row, void>(async rows => {
      await insert(rows);
      return rows.map(() => undefined);
    }, groupLimits).add;
  return {
    add: groupInserts<AuditReportRow>(rows => db.insertInto('audit_reports').values(rows).execute()),
    addLink: groupInserts<AuditLinkRow>(rows => db.insertInto('audit_links').values(rows).execute()),
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
    /** With the report, which is returned, if this was its last link. */
    deleteLink: (hash: string): Promise<Pick<AuditReportRow, 'domain' | 'measured_at'> | undefined> =>
      db.transaction().execute(async transaction => {
        const link = await transaction
          .deleteFrom('audit_links')
          .where('hash', '=', hash)
          .returning('report')
          .executeTakeFirst();
        return (
          link &&
          (await transaction
            .deleteFrom('audit_reports')
            .where('id', '=', link.report)
            .where(withoutLink)
            .returning(['domain', 'measured_at'])
            .executeTakeFirst())
        );
      }),
    /** Findings quote what a domain publishes, such as the address in its security.txt. `part` is in lower case. */
    listContaining(part: string): Promise<AuditReportRow[]> {
      const contains = isSqlite(db)
        ? sql<boolean>`instr(lower(report), ${part}) > 0`
        : sql<boolean>`position(${part} in lower(report)) > 0`;
      return db.selectFrom('audit_reports').selectAll().where(contains).orderBy('measured_at').execute();
    },
    async *each(): AsyncGenerator<AuditReportRow[]> {
      for (let last: AuditReportRow | undefined, after = ''; ; after = last.id) {
        const page = await db
          .selectFrom('audit_reports')
          .selectAll()
          .where('id', '>', after)
          .orderBy('id')
          .limit(100)
          .execute();
        last = page.at(-1);
        if (!last) return;
        yield page;
      }
    },
    /** With their links. */
    async deleteReports(ids: readonly string[]): Promise<void> {
      for (const part of splitBatches(ids, 500)) {
        await db.transaction().execute(async transaction => {
          await transaction.deleteFrom('audit_links').where('report', 'in', part).execute();
          await transaction.deleteFrom('audit_reports').where('id', 'in', part).execute();
        });
      }
    },
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
