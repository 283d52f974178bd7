import type { Content } from '../../content/schemas/all-schemas.ts';
import type { Sample } from '../../content/schemas/sample.ts';
import { drawAttackPath, drawExposure, drawIncident, drawSeverities } from './draw-plots.ts';
import { type Column, fullWidth, type PdfWriter } from './pdf-writer.ts';
import { writeEntry, writeExchange, writeHeading, writeSteps, writeTable } from './write-blocks.ts';

/** Where each part of the report begins, and where its last link leads. */
type Places = { starts: number[]; auditUrl: string | undefined };
export type ReportPart = { id: string; title: string; draw(pdf: PdfWriter, places: Places): void };

const { x, width } = fullWidth;

/** The parts of the report, each on a new page, in the order of the page on the site. */
export function listReportPages(sample: Sample, audit: Content['site']['audit']): ReportPart[] {
  const { cover, summary, finding, findings, incident, retest } = sample;
  const parts: ReportPart[] = [
    { id: 'summary', title: summary.title, draw: pdf => drawSummary(pdf, sample) },
    ...findings.map((one, index) => ({
      id: one.id.toLowerCase(),
      title: `${finding.labels.finding} ${index + 1}: ${one.title}`,
      draw: (pdf: PdfWriter) => drawFinding(pdf, sample, one),
    })),
    { id: 'attack-path', title: summary.path, draw: pdf => drawPath(pdf, sample) },
    { id: 'incident', title: incident.title, draw: pdf => drawIncidentWeek(pdf, sample) },
    {
      id: 'retest',
      title: retest.title,
      draw: (pdf, { auditUrl }) => {
        drawRetest(pdf, sample);
        drawClosing(pdf, audit, auditUrl);
      },
    },
  ];
  return [
    { id: 'cover', title: cover.title, draw: (pdf, places) => drawCover(pdf, sample, parts, places) },
    ...parts,
  ];
}

function drawCover(pdf: PdfWriter, { cover }: Sample, parts: ReportPart[], { starts }: Places): void {
  pdf.withTheme('ink', () => {
    pdf.y = 170;
    pdf.write(cover.title, 'title');
    pdf.y += 10;
    pdf.write(cover.client, 'heading', { colour: 'accent' });
    pdf.y += 8;
    pdf.write(cover.summary, 'lead', { colour: 'muted' });
  });
  pdf.y = 364;
  pdf.write(cover.scopeTitle, 'subheading');
  pdf.y += 6;
  for (const { term, text } of cover.scope) {
    pdf.writeRow(
      [
        { text: term, style: 'term', column: { x, width: 110 } },
        { text, style: 'body', column: { x: x + 118, width: width - 118 } },
      ],
      4,
    );
  }
  pdf.y += 18;
  pdf.write(cover.contentsTitle, 'subheading');
  pdf.y += 6;
  parts.forEach(({ id, title }, index) => {
    const top = pdf.y;
    pdf.writeRow([
      { text: title, style: 'body', column: { x, width: width - 40 } },
      {
        text: String(starts[index + 1] ?? 0),
        style: 'code',
        column: { x: x + width - 40, width: 40 },
        align: 'right',
      },
    ]);
    pdf.link(fullWidth, top, { destination: id });
  });
}

function drawSummary(pdf: PdfWriter, { summary, retest, exposure }: Sample): void {
  writeHeading(pdf, summary.title);
  for (const paragraph of summary.text) {
    pdf.write(paragraph, 'lead');
    pdf.y += 8;
  }
  pdf.y += 18;
  drawSeverities(pdf, retest, summary.plot);
  pdf.y += 22;
  pdf.write(summary.firstTitle, 'term');
  writeSteps(pdf, summary.first);
  pdf.y += 42;
  drawExposure(pdf, exposure);
}

function drawFinding(
  pdf: PdfWriter,
  { finding: { labels } }: Sample,
  finding: Sample['findings'][number],
): void {
  pdf.write(finding.id, 'code', { colour: 'muted' });
  writeHeading(pdf, finding.title);
  const quarter = (index: number): Column => ({ x: x + index * (width / 4), width: width / 4 - 14 });
  const facts = [
    [labels.severity, `${finding.severity}, ${finding.score}`],
    [labels.asset, finding.asset],
    [labels.owner, finding.owner],
    [labels.due, finding.due],
  ] as const;
  pdf.drawRule();
  pdf.y += 10;
  pdf.writeRow(facts.map(([text], index) => ({ text, style: 'term', column: quarter(index) })));
  pdf.writeRow(
    facts.map(([, text], index) => ({
      text,
      style: 'strong',
      column: quarter(index),
      colour: index === 0 ? 'attention' : 'text',
    })),
    10,
  );
  pdf.drawRule();
  pdf.y += 16;
  writeEntry(pdf, labels.score, [finding.vector], 'code');
  writeEntry(pdf, labels.evidence, [finding.evidence]);
  writeExchange(pdf, finding.exchange);
  writeEntry(pdf, labels.impact, [finding.impact]);
  for (const [label, steps] of [
    [labels.reproduce, finding.reproduce],
    [labels.fix, finding.fix],
  ] as const) {
    pdf.keepRoom(60);
    pdf.write(label, 'term');
    writeSteps(pdf, steps);
    pdf.y += 12;
  }
  writeEntry(pdf, `${labels.retest}: ${labels.status}`, [finding.retest]);
}

function drawPath(pdf: PdfWriter, { summary }: Sample): void {
  writeHeading(pdf, summary.path);
  pdf.write(summary.pathLead, 'lead');
  pdf.y += 26;
  drawAttackPath(pdf, summary);
  pdf.y += 30;
  summary.steps.forEach(({ name, text, time }, index) => {
    pdf.drawRule();
    pdf.y += 8;
    pdf.writeRow(
      [
        { text: String(index + 1), style: 'code', column: { x, width: 20 }, colour: 'attention' },
        { text: time, style: 'code', column: { x: x + 24, width: 60 }, colour: 'muted' },
        { text: name, style: 'strong', column: { x: x + 90, width: 130 } },
        { text, style: 'body', column: { x: x + 230, width: width - 230 } },
      ],
      8,
    );
  });
  pdf.drawRule();
  pdf.y += 18;
  pdf.write(summary.broken, 'subheading', { colour: 'accent' });
}

function drawIncidentWeek(pdf: PdfWriter, { incident }: Sample): void {
  writeHeading(pdf, incident.title);
  pdf.write(incident.lead, 'lead');
  pdf.y += 34;
  drawIncident(pdf, incident);
  pdf.y += 26;
  const columns = [
    { x, width: 44 },
    { x: x + 50, width: 96 },
    { x: x + 156, width: width - 156 },
  ];
  writeTable(
    pdf,
    columns,
    [incident.day, incident.systems, incident.done],
    incident.days.map(one => ({ cells: [one.day, String(one.systems), one.done] })),
  );
  pdf.y += 16;
  pdf.write(incident.lesson, 'strong');
}

function drawRetest(pdf: PdfWriter, { retest }: Sample): void {
  writeHeading(pdf, retest.title);
  const columns = [
    { x, width: 70 },
    { x: x + 74, width: width - 74 - 150 },
    { x: x + width - 140, width: 70 },
    { x: x + width - 60, width: 60 },
  ];
  writeTable(
    pdf,
    columns,
    ['', retest.finding, retest.severity, retest.result],
    retest.findings.map(one => ({
      cells: [one.id, one.title, one.severity, one.result],
      colour: one.isClosed ? 'accent' : 'attention',
    })),
  );
  pdf.y += 6;
  pdf.write(retest.note, 'small');
}

function drawClosing(pdf: PdfWriter, audit: Content['site']['audit'], url: string | undefined): void {
  pdf.y += 24;
  pdf.keepRoom(60);
  const top = pdf.y;
  pdf.write(audit.heading, 'subheading');
  pdf.write(`${audit.button}${url ? `: ${url.replace(/^https?:\/\//, '')}` : ''}`, 'body', {
    colour: 'accent',
  });
  if (url) pdf.link(fullWidth, top, { url });
}
