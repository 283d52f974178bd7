import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serverFolder } from '../../../core/http/current-build.ts';
import { type HeaderSettings, headersFor } from '../../../core/http/headers.ts';
import { type FileEntry, fileTable, withStyles } from '../../../core/http/static-files.ts';
import type { AuditPages, ReportRenderer, ReportTemplate } from '../api/audit-pages.ts';
import { auditPaths, auditTemplate } from '../contract.ts';

export const reportRenderer = 'render-report.mjs';

type Loaded = { build: string; notFound: Page; template: Promise<ReportTemplate> | undefined };
type Page = { html: string; headers: Record<string, string> };

/** Follows the current build, as the static files do. The renderer, which has React, is loaded for the first report. */
export function createAuditPages(findBuild: () => string, settings: HeaderSettings): AuditPages {
  let loaded: Loaded | undefined;
  function load(): Loaded {
    const build = findBuild();
    if (loaded?.build !== build)
      loaded = { build, notFound: readPage(build, '/404.html', settings), template: undefined };
    return loaded;
  }
  return {
    getTemplate() {
      const current = load();
      current.template ??= loadTemplate(current.build, settings);
      return current.template;
    },
    getNotFound: async () => load().notFound,
  };
}

async function loadTemplate(build: string, settings: HeaderSettings): Promise<ReportTemplate> {
  const renderer: ReportRenderer = await import(
    pathToFileURL(join(build, serverFolder, reportRenderer)).href
  );
  const { html, headers } = readPage(build, auditPaths.report, settings);
  const renderAuditReport = renderOnce(renderer.renderAuditReport);
  return { ...splitTemplate(html), headers, ...renderer, renderAuditReport };
}

function readPage(build: string, path: string, settings: HeaderSettings): Page {
  const entries: FileEntry[] = JSON.parse(readFileSync(join(build, fileTable), 'utf8'));
  const entry = entries.find(one => one.path === path);
  if (!entry) throw new Error(`The build in ${build} has no page ${path}: run 'npm run publish-site' again`);
  return {
    html: readFileSync(join(build, 'site', entry.file), 'utf8'),
    headers: lowerCaseNames(headersFor(entry.kind, withStyles(settings, [entry]))),
  };
}

type Render = ReportRenderer['renderAuditReport'];

const maxRendered = 20;

/** A report takes milliseconds of the thread that serves all pages: of the latest links, only the minutes of its age change. */
export function renderOnce(render: Render): Render {
  const rendered = new Map<string, string>();
  return (report, link) => {
    const key = `${link.path} ${Math.floor(link.ageSeconds / 60)}`;
    const html = rendered.get(key) ?? render(report, link);
    rendered.delete(key);
    rendered.set(key, html);
    const [oldest = ''] = rendered.keys();
    if (rendered.size > maxRendered) rendered.delete(oldest);
    return html;
  };
}

/** Without the sample report, for whose classes alone the page was built. */
export function splitTemplate(html: string): Pick<ReportTemplate, 'before' | 'after'> {
  const { start, end } = auditTemplate;
  const [before, rest] = html.split(start, 2);
  const after = rest?.split(end, 2)[1];
  if (before === undefined || after === undefined)
    throw new Error(`The page ${auditPaths.report} has no ${start} and ${end}`);
  return { before, after };
}

function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
