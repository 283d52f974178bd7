import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import type { Wired } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { printJson, printNote } from '../print.ts';
import { isStandardOutput, writeOutput } from '../write-output.ts';
import { readFigures } from './report-figures.ts';
import { writePage } from './report-page.ts';

const content = resolve(import.meta.dirname, '../../../content');

type Values = Flags<'force' | 'json'>;

export async function report({ store, clock }: Wired, path: string, values: Values): Promise<void> {
  const isStandard = isStandardOutput(path);
  if (!isStandard && !/\.html?$/i.test(path))
    throwUsageError(`The report is a page: name it FILE.html, not '${path}'.`);
  if (isStandard && values.json)
    throwUsageError("'-' writes the page to standard output: --json would not fit beside it.");
  const now = clock.now();
  const { services, title } = readWords();
  const figures = await readFigures(store.figures, { services, now });
  await writeOutput(path, [writePage(figures, { now, title })], values);
  if (values.json) return printJson({ file: path, figures });
  if (!isStandard) printNote(`The report is in ${path}: open it in a browser, or print it.`);
}

function readWords(): { services: string[]; title: string } {
  const { content: words } = readContent(content);
  if (!words) {
    printNote(
      "The words in content/ have mistakes, so services are counted as 'Other'; npm run build names them.",
    );
    return { services: [], title: 'Messages and newsletter' };
  }
  const { services, engagements, solutions } = words.services;
  const names = [...services, ...engagements.items, ...solutions.items].map(({ name }) => name);
  return { services: [...new Set(names)], title: words.company.name };
}
