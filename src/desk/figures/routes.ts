import type { Context } from 'hono';
import { readLaunchFacts } from '../../build/read-launch-facts.ts';
import { listServiceNames } from '../../content/list-service-names.ts';
import type { Figure } from '../../domain/figures/figure.ts';
import { readFigures } from '../../domain/figures/read-figures.ts';
import { formatCsv } from '../../lib/csv.ts';
import type { DeskApp, DeskDeps } from '../desk-deps.ts';
import { receiverLabels } from '../receiver-labels.ts';
import { readHighlights } from './read-highlights.ts';

const periods = [
  { weeks: 12, text: '12 weeks' },
  { weeks: 26, text: '26 weeks' },
  { weeks: 52, text: 'A year' },
  { weeks: 104, text: 'Two years' },
];
const defaultWeeks = 26;

export function addFigureRoutes(app: DeskApp, { services, root, answer }: DeskDeps): void {
  const { domainDeps, clock, config } = services;

  async function read(weeks: number): Promise<Figure[]> {
    const { content } = readLaunchFacts(root, config).siteContent;
    const names = content ? listServiceNames(content) : [];
    const figures = await readFigures(domainDeps, { services: names, now: clock.now(), weeks });
    return figures.map(figure => (figure.id === 'deliveries' ? nameReceivers(figure) : figure));
  }

  app.get('/figures', async context => {
    const weeks = parseWeeks(context);
    const figures = await read(weeks);
    const props = { weeks, periods, highlights: readHighlights(figures), figures };
    return answer(context, { view: 'figures', title: 'Figures', area: 'figures', props });
  });

  app.get('/figures/:file{[a-z]+\\.csv}', async context => {
    const id = context.req.param('file').replace('.csv', '');
    const figure = (await read(parseWeeks(context))).find(one => one.id === id);
    if (!figure) return context.notFound();
    context.header('Content-Disposition', `attachment; filename="${id}.csv"`);
    return context.body(formatCsv([figure.columns, ...figure.rows]), 200, {
      'content-type': 'text/csv; charset=utf-8',
    });
  });
}

function nameReceivers(figure: Figure): Figure {
  const rows = figure.rows.map(([name = '', ...cells]) => [receiverLabels[name] ?? name, ...cells]);
  return { ...figure, rows };
}

/** An unknown period is the usual one: a link may be old. */
function parseWeeks(context: Context): number {
  const given = Number(context.req.query('weeks'));
  return periods.find(({ weeks }) => weeks === given)?.weeks ?? defaultWeeks;
}
