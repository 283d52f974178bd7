import type { Clock } from '../../core/clock.ts';
import {
  noFinding,
  type PersonalData,
  type PersonalDataSteps,
  type PersonSearch,
  type StoredRecords,
} from '../../core/personal-data.ts';
import { type Audits, createAudits } from './requests/audits.ts';
import { expireReports } from './requests/read-report.ts';

/** Reports are about domains, and quote what a domain publishes, such as the address in its security.txt. */
export const personalData: PersonalData = {
  createSteps: ({ database, clock }) => describeSteps(createAudits(database.db), clock),
};

function describeSteps(audits: Audits, clock: Clock): PersonalDataSteps {
  return {
    tables: ['audit_reports', 'audit_links'],
    sections: [
      {
        title: 'Reports of the free audit',
        about: 'They quote the address, which the domain publishes. The whole report is deleted.',
        labels: { 'audit report, mention': '' },
      },
    ],
    async find(search) {
      const reports = await findReports(audits, search);
      const counts = { reports: reports.length };
      const findings = reports.map(({ domain: words, measuredAt: time }) => ({
        ...noFinding,
        what: 'audit report, mention',
        time,
        words,
      }));
      return {
        references: [],
        counts,
        findings,
        json: { reports: reports.map(({ domain, measuredAt }) => ({ domain, measuredAt })) },
        select: () => ({
          isEmpty: reports.length === 0,
          counts,
          references: [],
          async eraseRows() {
            await audits.deleteReports(reports.map(({ id }) => id));
            return counts;
          },
        }),
        listErasureTasks: async () => [],
        exportData: async () => ({
          document: {
            auditReportsThatQuoteTheAddress: reports.map(({ domain, measuredAt: measured }) => ({
              domain,
              measured,
            })),
          },
          counts: {},
        }),
        canExport: false,
        canCorrect: false,
      };
    },
    expire: [
      {
        name: 'expire audit reports',
        everyMs: 60 * 60_000,
        run: () => expireReports({ audits, clock }),
      },
    ],
    eachRecord: () => eachRecord(audits),
  };
}

async function findReports(audits: Audits, { part = '@', mentions }: PersonSearch) {
  const reports = await audits.listContaining(part);
  return reports
    .filter(({ report }) => mentions(report))
    .map(({ id, domain, measured_at: measuredAt }) => ({ id, domain, measuredAt }));
}

async function* eachRecord(audits: Audits): AsyncGenerator<StoredRecords[]> {
  for await (const page of audits.each()) yield page.map(({ report }) => ({ texts: [report] }));
}
