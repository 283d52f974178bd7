import type { Sample } from '../../content/schemas/sample.ts';
import { nodeRadius, type PlotSize, shapeAttackPath, shapeSteps } from '../../site/plot-shapes.ts';
import { fullWidth, type PdfWriter } from './pdf-writer.ts';

const { x, width } = fullWidth;

export function drawSeverities(
  pdf: PdfWriter,
  { counts, found, after, severity }: Sample['retest'],
  title: string,
) {
  const barWidth = width / 2 - 80;
  const max = Math.max(...counts.map(row => row.found), 1);
  const [first, second] = [x + 90, x + 90 + barWidth + 40];
  pdf.writeRow(
    [
      { text: severity, style: 'term', column: { x, width: 80 } },
      { text: found, style: 'term', column: { x: first, width: barWidth } },
      { text: after, style: 'term', column: { x: second, width: barWidth } },
    ],
    4,
  );
  for (const row of counts) {
    pdf.drawRule();
    pdf.y += 6;
    const top = pdf.y;
    pdf.writeRow(
      [
        { text: row.severity, style: 'strong', column: { x, width: 80 } },
        { text: String(row.found), style: 'code', column: { x: first, width: 16 } },
        { text: String(row.after), style: 'code', column: { x: second, width: 16 } },
      ],
      6,
    );
    const drawBar = (left: number, value: number, fill: 'attention' | 'accent') =>
      pdf.drawShape(rectangle((value / max) * (barWidth - 20), 9), { fill }, left + 20, top + 3);
    drawBar(first, row.found, 'attention');
    drawBar(second, row.after, 'accent');
  }
  pdf.drawRule();
  writeCaption(pdf, title);
}

export function drawExposure(pdf: PdfWriter, { title, weeks }: Sample['exposure']): void {
  const size = { width, height: 90 };
  const { columns, line, area } = shapeSteps(
    weeks.map(({ open }) => open),
    size,
  );
  const top = startPlot(pdf, size);
  pdf.drawShape(area, { fill: 'accent', opacity: 0.15 }, x, top);
  pdf.drawShape(line, { stroke: 'accent', lineWidth: 1.5 }, x, top);
  pdf.drawShape(`M0 ${size.height}h${width}`, { stroke: 'hairline' }, x, top);
  for (const [index, column] of columns.entries())
    labelColumn(pdf, column, weeks[index]?.step ?? '', top, size);
  writeCaption(pdf, title);
}

export function drawIncident(pdf: PdfWriter, { plot, days }: Sample['incident']): void {
  const size = { width, height: 120 };
  const { columns } = shapeSteps(
    days.map(({ systems }) => systems),
    size,
  );
  const top = startPlot(pdf, size);
  const columnWidth = width / days.length - 10;
  columns.forEach((column, index) => {
    const left = x + column.left + 5;
    pdf.drawShape(rectangle(columnWidth, column.top), { fill: 'accent', opacity: 0.15 }, left, top);
    const height = size.height - column.top;
    pdf.drawShape(rectangle(columnWidth, height), { fill: 'attention' }, left, top + column.top);
    labelColumn(pdf, column, days[index]?.day ?? '', top, size);
  });
  writeCaption(pdf, plot);
}

export function drawAttackPath(pdf: PdfWriter, { steps, brokenStep }: Sample['summary']): void {
  const size = { width, height: 170 };
  const { nodes, rings, line } = shapeAttackPath(steps.length, size);
  const top = startPlot(pdf, size);
  for (const ring of rings)
    pdf.drawShape(roundedRectangle(ring), { stroke: 'edge' }, x + ring.x, top + ring.y);
  pdf.drawShape(line, { stroke: 'attention', lineWidth: 1.5, dash: [5, 5] }, x, top);
  nodes.forEach((node, index) => {
    const [left, centre] = [x + node.x, top + node.y];
    const circle = `M${-nodeRadius} 0a${nodeRadius} ${nodeRadius} 0 1 0 ${2 * nodeRadius} 0a${nodeRadius} ${nodeRadius} 0 1 0 ${-2 * nodeRadius} 0z`;
    pdf.drawShape(circle, { fill: 'high', stroke: 'attention', lineWidth: 1.5 }, left, centre);
    const column = { x: left - 10, width: 20 };
    pdf.writeAt(String(index + 1), 'strong', { column, align: 'center', y: centre + 4 });
    if (index === brokenStep - 1)
      pdf.drawShape('M0-20v40', { stroke: 'accent', lineWidth: 5 }, left - 30, centre - 7);
  });
  pdf.y = top + size.height;
}

function startPlot(pdf: PdfWriter, { height }: PlotSize): number {
  pdf.keepRoom(height + 50);
  return pdf.y;
}

function labelColumn(
  pdf: PdfWriter,
  { centre, top: columnTop, value }: { centre: number; top: number; value: number },
  label: string,
  top: number,
  size: PlotSize,
): void {
  const place = { column: { x: x + centre, width: 0 }, align: 'center' } as const;
  pdf.writeAt(String(value), 'code', { ...place, y: top + columnTop - 5 });
  pdf.writeAt(label, 'small', { ...place, y: top + size.height + 13 });
  pdf.y = top + size.height + 18;
}

function writeCaption(pdf: PdfWriter, text: string): void {
  pdf.y += 6;
  pdf.write(text, 'small');
}

function rectangle(width: number, height: number): string {
  return `M0 0h${width}v${height}h${-width}z`;
}

function roundedRectangle({
  width,
  height,
  radius,
}: {
  width: number;
  height: number;
  radius: number;
}): string {
  const r = Math.min(radius, width / 2, height / 2);
  const arc = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return `M${r} 0H${width - r}${arc(r, r)}V${height - r}${arc(-r, r)}H${r}${arc(-r, -r)}V${r}${arc(r, -r)}z`;
}
