import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AuditPages, ReportRenderer, ReportTemplate } from '../api/audit-pages.ts';
import { auditPaths, auditTemplate } from '../api/contract.ts';
import { type HeaderSettings, headersFor } from './headers.ts';
import { type FileEntry, fileTable, withStyles } from './static-files.ts';

/** The folder of a build that holds what the server runs. */
export const serverFolder = 'server';
export const reportRenderer = 'render-report.mjs';

type LoadedBuild = { build: string; pages: Promise<Awaited<ReturnType<typeof loadPages>>> };

/** Follows the current build, as the static files do. */
export function createAuditPages(findBuild: () => string, settings: HeaderSettings): AuditPages {
  let loaded: LoadedBuild | undefined;
  function getPages() {
    const build = findBuild();
    if (loaded?.build !== build) loaded = { build, pages: loadPages(build, settings) };
    return loaded.pages;
  }
  return {
    getTemplate: async () => (await getPages()).template,
    getNotFound: async () => (await getPages()).notFound,
  };
}

async function loadPages(build: string, settings: HeaderSettings) {
  const entries: FileEntry[] = JSON.parse(readFileSync(join(build, fileTable), 'utf8'));
  function read(path: string) {
    const entry = entries.find(one => one.path === path);
    if (!entry)
      throw new Error(`The build in ${build} has no page ${path}: run 'npm run publish-site' again`);
    const headers = headersFor(entry.kind, withStyles(settings, [entry]));
    return {
      html: readFileSync(join(build, 'site', entry.file), 'utf8'),
      headers: lowerCaseNames(headers),
    };
  }
  const renderer: ReportRenderer = await import(
    pathToFileURL(join(build, serverFolder, reportRenderer)).href
  );
  const { html, headers } = read(auditPaths.report);
  return { template: { ...splitTemplate(html), headers, ...renderer }, notFound: read('/404.html') };
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
