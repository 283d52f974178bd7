import { createHash } from 'node:crypto';
import { type Drawn, formatDay, type Picture, type Table } from './plot.ts';
import { style } from './style.ts';
import { escapeHtml } from './svg.ts';

const [wide, narrow] = [800, 350];

/** One page that asks for nothing: no script, no picture, no font, and a policy that would forbid each. */
export function writePage(drawn: readonly Drawn[], { now, title }: { now: Date; title: string }): string {
  const made = `${formatDay(now.toISOString().slice(0, 10))} at ${now.toISOString().slice(11, 16)} UTC`;
  const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}: report of ${escapeHtml(made)}</title>
<style>${style}</style>
</head>
<body>
<header>
<p class="label">Report</p>
<h1>${escapeHtml(title)}</h1>
<p>Made on ${escapeHtml(made)} from what is kept at that moment. It holds numbers: no names, no addresses, no words of visitors. Sites and campaigns are called as browsers told it.</p>
</header>
<main>
<dl class="headlines">${drawn.map(writeHeadline).join('')}</dl>
${drawn.map(writeSection).join('\n')}
</main>
<footer>Weeks begin on Monday; days and times are in UTC.</footer>
</body>
</html>
`;
}

function writeHeadline({ headline }: Drawn): string {
  if (!headline) return '';
  const { value, label } = headline;
  return `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd></div>`;
}

function writeSection({ id, title, shows, picture, empty, table, list }: Drawn): string {
  return `<section aria-labelledby="${id}">
<h2 id="${id}">${escapeHtml(title)}</h2>
<p>${escapeHtml(shows)}</p>
${picture ? writeFigure(id, title, picture) : `<p class="empty">${escapeHtml(empty)}</p>`}
${list ? `<div class="table list">${writeTable(list)}</div>` : ''}
${
  table.rows.length === 0
    ? ''
    : `<details${table.isPrinted ? ' class="printed"' : ''}><summary>The same as a table</summary><div class="table numbers">${writeTable(table)}</div></details>`
}
</section>`;
}

function writeFigure(id: string, title: string, picture: Picture): string {
  const { legend } = picture;
  const marks = legend.map(
    ({ name, mark }) =>
      `<li><svg viewBox="0 0 12 12" aria-hidden="true"><rect class="${mark}" width="12" height="12" rx="3"/></svg>${escapeHtml(name)}</li>`,
  );
  return `<figure>
${writeSvg(`${id}-wide`, 'wide', wide, title, picture)}
${writeSvg(`${id}-narrow`, 'narrow', narrow, title, picture)}
${marks.length > 0 ? `<figcaption><ul class="legend">${marks.join('')}</ul></figcaption>` : ''}
</figure>`;
}

function writeSvg(id: string, kind: string, width: number, title: string, picture: Picture): string {
  const { height, body } = picture.draw(width);
  return `<svg class="${kind}" role="img" viewBox="0 0 ${width} ${height}" aria-labelledby="${id}-title" aria-describedby="${id}-desc"><title id="${id}-title">${escapeHtml(title)}</title><desc id="${id}-desc">${escapeHtml(picture.summary)}</desc>${body}</svg>`;
}

function writeTable({ caption, head, rows }: Table): string {
  const heads = head.map(name => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const lines = rows.map(([first = '', ...rest]) => {
    const cells = rest.map(cell => `<td dir="auto">${escapeHtml(cell)}</td>`).join('');
    return `<tr><th scope="row">${escapeHtml(first)}</th>${cells}</tr>`;
  });
  return `<table><caption>${escapeHtml(caption)}</caption><thead><tr>${heads}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}
