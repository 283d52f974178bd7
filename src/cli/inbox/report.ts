import { listServiceNames } from '../../content/list-service-names.ts';
import { readContent } from '../../content/read-content.ts';
import { readFigures } from '../../domain/figures/read-figures.ts';
import { contentFolder } from '../../server/mail-texts.ts';
import type { Services } from '../../server/wire.ts';
import type { Flags } from '../command.ts';
import { printJson, printNote, printTable } from '../print.ts';
import { printLines } from '../terminal.ts';

const weeks = 52;

export async function report({ domainDeps, clock }: Services, values: Flags<'json'>): Promise<void> {
  const { content } = readContent(contentFolder);
  if (!content)
    printNote(
      "content/ has validation errors, so services are counted as 'Other'; npm run publish-site lists them",
    );
  const services = content ? listServiceNames(content) : [];
  const figures = await readFigures(domainDeps, { services, now: clock.now(), weeks });
  if (values.json) return printJson({ weeks, figures: figures.map(({ plot: _, ...figure }) => figure) });
  for (const { title, columns, rows } of figures) {
    printLines([title]);
    printTable(rows.map(row => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? '']))));
    printLines(rows.length === 0 ? ['None so far', ''] : ['']);
  }
}
