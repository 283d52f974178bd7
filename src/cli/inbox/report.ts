import { createHash } from 'node:crypto';
import { readContent } from '../../content/read-content.ts';
import { readStatistics, type Statistic } from '../../domain/messages/report-statistics.ts';
import { replaceControls } from '../../lib/control-characters.ts';
import { escapeHtml } from '../../lib/escape-html.ts';
import { contentFolder } from '../../server/mail-texts.ts';
import type { Services } from '../../server/wire.ts';
import { type Flags, throwUsageError } from '../command.ts';
import { printJson, printNote } from '../print.ts';
import { isStandardOutput, writeOutput } from '../write-output.ts';

type Values = Flags<'force' | 'json'>;

export async function report({ domainDeps, clock }: Services, path: string, values: Values): Promise<void> {
  const isStandard = isStandardOutput(path);
  if (!isStandard && !/\.html?$/i.test(path))
    throwUsageError(`the report must be an .html file, not '${path}'`);
  if (isStandard && values.json) throwUsageError("--json cannot be used with '-'");
  const now = clock.now();
  const { services, title } = readServiceNames();
  const statistics = await readStatistics(domainDeps, { services, now });
  await writeOutput(path, [renderReport(statistics, { now, title })], values);
  if (values.json) return printJson({ file: path, statistics });
  if (!isStandard) printNote(`Report written to ${path}`);
}

function readServiceNames(): { services: string[]; title: string } {
  const { content: site } = readContent(contentFolder);
  if (!site) {
    printNote(
      "content/ has validation errors, so services are counted as 'Other'; npm run publish-site lists them",
    );
    return { services: [], title: 'Messages and newsletter' };
  }
  const { services, engagements, solutions } = site.services;
  const names = [...services, ...engagements.items, ...solutions.items].map(({ name }) => name);
  return { services: [...new Set(names)], title: site.brand.name };
}

const style = `
html { font: 1rem/1.5 system-ui, sans-serif; background: #fff; color: #111; }
body { margin: 2rem auto; padding: 0 1rem; max-width: 52rem; }
section { margin-top: 2.5rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.875rem; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.5rem 0.25rem 0; border-bottom: 1px solid #ccc; text-align: left; }
thead th { overflow-wrap: anywhere; }
@media (min-width: 40rem) { td:last-child { width: 25%; } }
h2, tr { break-inside: avoid; break-after: avoid-page; }
meter { width: 100%; min-width: 2rem; print-color-adjust: exact; }
`;

function renderReport(
  statistics: readonly Statistic[],
  { now, title }: { now: Date; title: string },
): string {
  const createdAt = `${now.toISOString().slice(0, 10)} at ${now.toISOString().slice(11, 16)} UTC`;
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escapeText(title)}: report of ${createdAt}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
<p>Report of ${createdAt}. It contains numbers only: no names, addresses or messages. Weeks begin on Monday; times are in UTC.</p>
${statistics.map(renderStatistic).join('\n')}
</main>
</body>
</html>
`;
}

function renderStatistic({ title, sentence, columns, rows }: Statistic): string {
  const heads = columns.map(name => `<th scope="col">${escapeText(name)}</th>`);
  const largest = Math.max(...rows.map(({ bar }) => bar));
  const lines = rows.map(({ cells, bar }) => {
    const [first = '', ...rest] = cells.map(cell => escapeText(cell.toLocaleString('en-GB')));
    const meter = `<td><meter aria-hidden="true" max="${largest}" value="${bar}"></meter></td>`;
    return `<tr><th scope="row">${first}</th>${rest.map(text => `<td>${text}</td>`).join('')}${meter}</tr>`;
  });
  const table = `<table><thead><tr>${heads.join('')}<td></td></tr></thead><tbody>\n${lines.join('\n')}\n</tbody></table>`;
  return `<section>
<h2>${escapeText(title)}</h2>
<p>${escapeText(sentence)}</p>
${rows.length > 0 ? table : '<p>None so far</p>'}
</section>`;
}

function escapeText(text: string): string {
  return escapeHtml(replaceControls(text.toWellFormed()));
}
