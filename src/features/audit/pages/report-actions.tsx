import { audit } from 'content:audit';
import { settings } from 'content:settings';
import { buttonClass } from '../../../ui/components/button.ts';
import { SectionHeader } from '../../../ui/components/section.tsx';
import { formField } from '../../../ui/contract.ts';
import { TextAreaField, TextField } from '../../../ui/forms/field.tsx';
import { Honeypot } from '../../../ui/forms/honeypot.tsx';
import { auditReportField, contactPath } from '../../messages/contract.ts';
import type { AuditReport } from '../contract.ts';
import { auditFields } from '../contract.ts';
import { fillValues, listFirst } from './audit-words.ts';

type ReportActionsProps = { report: AuditReport; path: string };

/** Both forms are native: this part of the page is not hydrated. */
export function ReportActions({ report, path }: ReportActionsProps) {
  const { send, link } = audit;
  return (
    <section className="print:hidden" data-theme="paper">
      <div className="mx-auto grid max-w-page gap-x-16 gap-y-12 px-5 py-section sm:px-8 lg:grid-cols-[1fr_1.25fr] lg:grid-rows-[auto_1fr]">
        <SectionHeader heading={send.heading} id="send" lead={send.lead} />
        <form
          action={contactPath}
          aria-labelledby="send"
          className="grid gap-5 self-start lg:col-start-2 lg:row-span-2 lg:row-start-1 rounded-card border border-hairline bg-high px-5 py-6 sm:p-8"
          method="post"
        >
          <input name={formField} type="hidden" value="contact" />
          <input name={auditReportField} type="hidden" value={report.id} />
          <TextField autoComplete="name" id="report-name" label={send.name} name="name" type="text" />
          <TextField autoComplete="email" id="report-email" label={send.email} name="email" type="email" />
          <TextAreaField
            defaultValue={writeMessage(report, path)}
            id="report-message"
            label={send.message}
            name="message"
            rows={9}
          />
          <Honeypot form="contact" />
          <p className="text-sm text-muted">{send.hint}</p>
          <button className={`${buttonClass.primary} justify-self-start`} type="submit">
            {send.button}
          </button>
        </form>
        <div>
          <h2 className="text-xl" id="link">
            {link.heading}
          </h2>
          <p className="mt-3 max-w-reading text-muted">{link.text}</p>
          <p className="mt-3">
            <a
              className="break-all underline decoration-edge underline-offset-4"
              data-report-link=""
              href={path}
            >
              {settings.SITE_URL + path}
            </a>
          </p>
          <form action={path} aria-label={link.delete} className="mt-5" method="post">
            <input name={auditFields.action} type="hidden" value={auditFields.delete} />
            <button className={buttonClass.quiet} type="submit">
              {link.delete}
            </button>
            <p className="mt-3 max-w-reading text-sm text-muted">{link.deleteText}</p>
          </form>
        </div>
      </div>
    </section>
  );
}

function writeMessage(report: AuditReport, path: string): string {
  const { template, finding } = audit.send;
  const lines = listFirst(report).map(({ words }, index) =>
    fillValues(finding, { number: index + 1, title: words.title, text: words.text }),
  );
  return fillValues(template, {
    domain: report.domain,
    grade: report.grade ?? '–',
    score: report.score ?? '–',
    first: lines.join('\n') || audit.report.nothing,
    url: settings.SITE_URL + path,
  });
}
