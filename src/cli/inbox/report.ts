import { resolve } from 'node:path';
import { readContent } from '../../content/read-content.ts';
import { readFigures } from '../../domain/messages/report-figures.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { printJson, printNote } from '../print.ts';
import { isStandardOutput, writeOutput } from '../write-output.ts';
import { writePage } from './report-page.ts';

const content = resolve(import.meta.dirname, '../../../content');

type Values = Flags<'force' | 'json'>;

export async function report({ domainDeps, clock }: Services, path: string, values: Values): Promise<void> {
  const isStandard = isStandardOutput(path);
  if (!isStandard && !/\.html?$/i.test(path))
    throwUsageError(`the report must be an .html file, not '${path}'`);
  if (isStandard && values.json) throwUsageError("--json cannot be used with '-'");
  const now = clock.now();
  const { services, title } = readServiceNames();
  const figures = await readFigures(domainDeps, { services, now });
  await writeOutput(path, [writePage(figures, { now, title })], values);
  if (values.json) return printJson({ file: path, figures });
  if (!isStandard) printNote(`Report written to ${path}`);
}

function readServiceNames(): { services: string[]; title: string } {
  const { content: site } = readContent(content);
  if (!site) {
    printNote("content/ has validation errors, so services are counted as 'Other'; npm run build lists them");
    return { services: [], title: 'Messages and newsletter' };
  }
  const { services, engagements, solutions } = site.services;
  const names = [...services, ...engagements.items, ...solutions.items].map(({ name }) => name);
  return { services: [...new Set(names)], title: site.company.name };
}
