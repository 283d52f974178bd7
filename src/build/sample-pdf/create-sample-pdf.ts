import type { Content } from '../../content/schemas/all-schemas.ts';
import { paths } from '../../site/paths.ts';
import { renderIcon } from '../brand/render-icon.ts';
import { loadSvg } from '../seo/canvas.ts';
import { fullWidth, openPdfWriter, type PdfWriter, pageSize } from './pdf-writer.ts';
import { listReportPages } from './report-pages.ts';

type PdfContent = Pick<Content, 'brand' | 'sample' | 'site'>;

type Description = { pageCount: number; bytes: number };
let described: { key: string; description: Promise<Description> } | undefined;

/** Drawing takes longer than all else that a preview does after a change, and colours change the size by some bytes only. */
export function describeSamplePdf(
  { brand, sample, site }: PdfContent,
  siteUrl: string | undefined,
): Promise<Description> {
  const { colours: _, ...drawn } = brand;
  const key = JSON.stringify([drawn, sample, site.audit, siteUrl]);
  if (described?.key !== key) {
    const description = createSamplePdf({ brand, sample, site }, siteUrl).then(({ pdf, pageCount }) => ({
      pageCount,
      bytes: pdf.length,
    }));
    described = { key, description };
  }
  return described.description;
}

/** The sample report as a PDF. The same content makes the same bytes: it contains no date. */
export async function createSamplePdf(content: PdfContent, siteUrl: string | undefined) {
  const icon = await loadSvg(renderIcon(content.brand), 256, 256);
  const brokenTexts = new Map<string, string[]>();
  // Drawn twice: the first time tells how many pages there are, and where each part begins.
  const draft = drawReport([], 0);
  const { pdf, starts, pageCount } = drawReport(draft.starts, draft.pageCount);
  if (starts.join() !== draft.starts.join()) throw new Error('The sample report changed while it was drawn');
  return { pdf: addLanguage(pdf, 'en-GB'), pageCount };

  function drawReport(startsBefore: number[], total: number) {
    const { brand, sample, site } = content;
    const writer: PdfWriter = openPdfWriter({
      brand,
      brokenTexts,
      metadata: { title: `${sample.title} – ${brand.name}`, subject: sample.description },
      drawFrame: pageNumber => drawFrame(pageNumber),
    });
    const starts = listReportPages(sample, site.audit).map(({ id, draw }) => {
      writer.startPage();
      writer.markDestination(id);
      const start = writer.pageNumber;
      draw(writer, { starts: startsBefore, auditUrl: siteUrl && siteUrl + paths.contact });
      return start;
    });
    return { pageCount: writer.pageNumber, pdf: writer.close(), starts };

    function drawFrame(pageNumber: number): void {
      const { sheet } = sample;
      if (pageNumber === 1)
        writer.withTheme('ink', () => writer.drawShape(`M0 0H${pageSize.width}V330H0z`, { fill: 'surface' }));
      writer.withTheme(pageNumber === 1 ? 'ink' : 'paper', () => {
        const { x, width } = fullWidth;
        writer.drawImage(icon, x, 40, 26);
        writer.writeAt(brand.logoText, 'subheading', { column: { x: x + 36, width }, y: 58 });
        const stamp = { x: x + width - 74, width: 74 };
        writer.drawShape(
          'M4 0H70a4 4 0 0 1 4 4V18a4 4 0 0 1-4 4H4a4 4 0 0 1-4-4V4a4 4 0 0 1 4-4z',
          { stroke: 'attention', lineWidth: 1.5 },
          stamp.x,
          42,
        );
        const centred = { align: 'center', colour: 'attention', y: 56 } as const;
        writer.writeAt(sheet.stamp.toUpperCase(), 'term', { column: stamp, ...centred });
        const report = { x: x + 36 + 110, width: width - 36 - 110 - 74 - 16 };
        writer.writeAt(sheet.report.toUpperCase(), 'term', { column: report, align: 'right', y: 56 });
      });
      const y = pageSize.height - 40;
      writer.drawShape(`M${fullWidth.x} ${y - 16}h${fullWidth.width}`, { stroke: 'hairline' });
      writer.writeAt(sheet.note, 'small', { y });
      const place = sheet.page.replace('{number}', String(pageNumber)).replace('{total}', String(total));
      writer.writeAt(place, 'code', { align: 'right', y });
    }
  }
}

/** The library writes no language: an update at the end of the file replaces the catalogue by one that has it. */
export function addLanguage(pdf: Buffer, language: string): Buffer {
  const text = pdf.toString('latin1');
  const [, id, entries] = /\n(\d+) 0 obj\n<<(\/Type \/Catalog\n.*?)>>\nendobj/s.exec(text) ?? [];
  const [, trailer, start] = /trailer\n<<(.*?)>>\nstartxref\n(\d+)\n%%EOF\s*$/s.exec(text) ?? [];
  if (!id || !trailer) throw new Error('The PDF has no catalogue or trailer where they were expected');
  const object = `${id} 0 obj\n<</Lang (${language})\n${entries}>>\nendobj\n`;
  const update = [
    `${object}xref\n0 1\n0000000000 65535 f \n${id} 1\n${String(pdf.length).padStart(10, '0')} 00000 n \n`,
    `trailer\n<<${trailer}\n/Prev ${start}>>\nstartxref\n${pdf.length + object.length}\n%%EOF\n`,
  ];
  return Buffer.concat([pdf, Buffer.from(update.join(''), 'latin1')]);
}
