import { resolve } from 'node:path';
import { readContent } from '../../content/read.ts';
import type { Wired } from '../../server/wire.ts';
import { isStandardOutput, writeOutput } from '../output.ts';
import { fail, note, print } from '../say.ts';
import { type Call, refuse } from './call.ts';
import { writePage } from './report/page.ts';
import type { Drawn } from './report/plot.ts';
import { plots } from './report/plots.ts';
import { foldWeeks } from './report/weeks.ts';

const content = resolve(import.meta.dirname, '../../../content');

type ReportCall = { given: string[]; values: Pick<Call['values'], 'force' | 'json'> };

/** Everything at a glance, as one page that can be handed on: it holds nothing personal and asks for nothing. */
export async function report({ store, clock }: Wired, { given, values }: ReportCall): Promise<void> {
  const [path = ''] = given;
  const isStandard = isStandardOutput(path);
  if (!isStandard && !/\.html?$/i.test(path))
    refuse(`The report is a page: name it FILE.html, not '${path}'.`);
  if (isStandard && values.json)
    refuse("'-' writes the page to standard output: --json would not fit beside it.");
  const now = clock.now();
  const { services, title } = readWords();
  const days = await store.figures.countDays();
  const weeks = foldWeeks(
    days.map(({ day, state, count }) => ({ day, name: state, count })),
    now,
  );
  const drawn: Drawn[] = [];
  for (const plot of plots) drawn.push(await plot({ figures: store.figures, services, now, weeks }));
  const mistake = await writeOutput(path, writePage(drawn, { now, title }), values);
  if (mistake) return fail(mistake);
  if (values.json)
    return print({ file: path, plots: drawn.map(({ id, title, table }) => ({ id, title, ...table })) });
  if (!isStandard) note(`The report is in ${path}: open it in a browser, or print it.`);
}

/** The services that the form offers, and whose report it is. A mistake in the words is no reason to tell no figures. */
function readWords(): { services: string[]; title: string } {
  const { content: words } = readContent(content);
  if (!words) {
    note(
      "The words in content/ have mistakes, so services are counted as 'Other'; npm run build names them.",
    );
    return { services: [], title: 'Messages and newsletter' };
  }
  const { services, engagements, solutions } = words.services;
  const names = [...services, ...engagements.items, ...solutions.items].map(({ name }) => name);
  return { services: [...new Set(names)], title: words.company.name };
}
