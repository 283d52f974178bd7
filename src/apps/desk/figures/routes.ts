import type { Context } from 'hono';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import type { Figure } from '../../../core/figures/figure.ts';
import { getReceiverLabel } from '../../../features.ts';
import { formatCsv } from '../../../lib/csv.ts';
import type { OwnDeps } from '../own-deps.ts';

const periods = [
  { weeks: 12, text: '12 weeks' },
  { weeks: 26, text: '26 weeks' },
  { weeks: 52, text: 'A year' },
  { weeks: 104, text: 'Two years' },
];
const defaultWeeks = 26;

export function addFigureRoutes(app: DeskApp, { services, answer }: OwnDeps): void {
  const { readFigures, clock } = services;

  async function read(weeks: number): Promise<Figure[]> {
    const figures = await readFigures({ now: clock.now(), weeks });
    return figures.map(figure => ({
      ...figure,
      columns: figure.columns.map(getReceiverLabel),
    }));
  }

  app.get('/figures', async context => {
    const weeks = parseWeeks(context);
    const props = { weeks, periods, figures: await read(weeks) };
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

/** An unknown period is the usual one: a link may be old. */
function parseWeeks(context: Context): number {
  const given = Number(context.req.query('weeks'));
  return periods.find(({ weeks }) => weeks === given)?.weeks ?? defaultWeeks;
}
