import { sample } from 'content:sample';
import type { ReactNode } from 'react';
import { CallToAction } from '../../../ui/components/call-to-action.tsx';
import { PageHeader } from '../../../ui/components/page-header.tsx';
import { PageMeta } from '../../../ui/components/page-meta.tsx';
import { PrintButton } from '../../../ui/components/print-button.tsx';
import { ReadingLayout } from '../../../ui/components/reading-layout.tsx';
import { AttackPath } from './attack-path.tsx';
import { Cover } from './cover.tsx';
import { Finding } from './finding.tsx';
import { IncidentWeek } from './incident-week.tsx';
import { Retest } from './retest.tsx';
import { Sheet } from './sample-report-section.tsx';
import { Summary } from './summary.tsx';

const { cover, summary, finding, findings, incident, retest } = sample;
const sheets: { id: string; title: string; body: ReactNode }[] = [
  { id: 'cover', title: cover.title, body: <Cover /> },
  { id: 'summary', title: summary.title, body: <Summary /> },
  ...findings.map((one, index) => ({
    id: one.id.toLowerCase(),
    title: `${finding.labels.finding} ${index + 1}`,
    body: <Finding finding={one} />,
  })),
  { id: 'attack-path', title: summary.path, body: <AttackPath /> },
  { id: 'incident', title: incident.title, body: <IncidentWeek /> },
  { id: 'retest', title: retest.title, body: <Retest /> },
];

/** The whole sample report, one sheet after the other. On paper it is a report without frames: see print.css. */
export function ReportPage() {
  return (
    <>
      <PageMeta page="sample" texts={sample} />
      <PageHeader heading={sample.heading} illustration="services" label={sample.label} lead={sample.lead}>
        <PrintButton>{sample.print}</PrintButton>
      </PageHeader>
      <ReadingLayout contents={sheets}>
        {sheets.map(({ id, title, body }, index) => (
          <section aria-labelledby={id} className="report-part mb-8" key={id}>
            <Sheet page={formatPage(index + 1)}>
              <div className="px-6 py-8 sm:px-10 sm:py-10">
                <h2 className="mb-7 text-[clamp(1.6rem,3vw,2.2rem)]" id={id}>
                  {title}
                </h2>
                {body}
              </div>
            </Sheet>
          </section>
        ))}
        <div className="mt-16">
          <CallToAction />
        </div>
      </ReadingLayout>
    </>
  );
}

function formatPage(number: number): string {
  return sample.sheet.page.replace('{number}', String(number)).replace('{total}', String(sheets.length));
}
