import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build as bundle, type Rolldown } from 'vite';
import { fitToHosting } from '../content/hosting.ts';
import { describeMistake, readContent } from '../content/read.ts';
import { systemClock } from '../lib/clock.ts';
import { inProduction } from '../server/config.ts';
import { type FileEntry, fileTable } from '../server/files.ts';
import { headerSettings, speculationRulesPath } from '../server/headers.ts';
import { securityTxtPath } from '../server/security-txt.ts';
import { findPoorContrast } from './contrast.ts';
import { encodeFile } from './encode.ts';
import { findUnfitEndpoints } from './endpoints.ts';
import { fingerprintFile, takeFingerprint } from './fingerprint.ts';
import { listFoundFiles } from './found/files.ts';
import { headersFile, writeHeadersFile } from './headers-file.ts';
import { forgetUnused } from './kept.ts';
import { writeNotices } from './notices.ts';
import { listPages, type PageList } from './page-list.ts';
import { type BuildConfig, hostingOf, pageSettings } from './page-settings.ts';
import { writeSecurityTxt } from './security-txt.ts';
import { writeSpeculationRules } from './speculation-rules.ts';
import { digestOfStyles, takeAssets } from './take-assets.ts';
import { clientConfig, contentFolder, prerenderConfig, root, siteFolder } from './vite-config.ts';
import { listFiles, pageFile, writeFile, writePages } from './write-pages.ts';

/** A fault of the words or of a page, to be shown to the person who builds: lines, no stack. */
export class BuildRefusal extends Error {}

type BuildOptions = {
  config: BuildConfig;
  outDir: string;
  say(line: string): void;
};

/** Content and sources in, a folder that the server can hold in memory out. The old build stays until the new is whole. */
export function buildSite(options: BuildOptions): Promise<void> {
  return inProduction(() => build(options));
}

async function build({ config, outDir, say }: BuildOptions): Promise<void> {
  const { content, mistakes, warnings } = readContent(contentFolder);
  const theme = readFileSync(join(siteFolder, 'styles/theme.css'), 'utf8');
  const faults = [
    ...mistakes.map(describeMistake),
    ...findPoorContrast(theme),
    ...findUnfitEndpoints(config),
  ];
  if (!content || faults.length > 0) throw new BuildRefusal(faults.join('\n'));
  for (const warning of warnings) say(`warning: ${warning}`);

  const fingerprint = takeFingerprint(root, config);
  const settings = pageSettings(config);
  const pages = listPages(settings);
  const words = fitToHosting(content, hostingOf(settings));
  mkdirSync(join(root, '.cache'), { recursive: true });
  const work = mkdtempSync(join(root, '.cache/build-'));
  const made = join(work, 'dist');
  const site = join(made, 'site');
  try {
    const client = (await bundle(clientConfig(site, settings))) as Rolldown.RolldownOutput;
    await bundle(prerenderConfig(join(work, 'prerender'), settings));
    const assets = takeAssets(site, pages);
    const modules = client.output.flatMap(output => (output.type === 'chunk' ? output.moduleIds : []));
    writeFileSync(join(site, 'third-party-notices.txt'), writeNotices(modules, join(siteFolder, 'fonts')));
    for (const { path, make } of listFoundFiles(words, config.siteUrl))
      writeFile(join(site, path), await make());
    writeFile(
      join(site, securityTxtPath),
      writeSecurityTxt(content.company, config.siteUrl, systemClock.now()),
    );
    writeFile(join(site, speculationRulesPath), writeSpeculationRules());
    const wrong = await writePages({
      prerender: join(work, 'prerender/prerender.mjs'),
      site,
      assets,
      pages,
      content: words,
      siteUrl: config.siteUrl,
    });
    if (wrong.length > 0) throw new BuildRefusal(wrong.join('\n'));
    const entries = await encodeFiles(site, pages, digestOfStyles(assets));
    writeFileSync(join(made, fileTable), JSON.stringify(entries, null, 1));
    // After the table was made: our own server has these headers already and does not serve the file.
    if (config.contactEndpoint)
      writeFileSync(join(site, headersFile), writeHeadersFile(entries, headerSettings(config)));
    writeFileSync(join(made, fingerprintFile), JSON.stringify(fingerprint, null, 1));
    putInPlace(made, outDir, join(work, 'old'));
    forgetUnused();
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Two renames, so that there is hardly a moment without a build. Another process may put its own there in between. */
function putInPlace(made: string, outDir: string, old: string): void {
  mkdirSync(dirname(outDir), { recursive: true });
  for (let attempt = 0; ; attempt += 1) {
    if (existsSync(outDir)) renameSync(outDir, `${old}-${attempt}`);
    try {
      renameSync(made, outDir);
      return;
    } catch (error) {
      if (attempt > 5) throw error;
    }
  }
}

/** Writes the encodings of every file, and the table by which the server knows them. */
function encodeFiles(site: string, { addresses }: PageList, styles: string): Promise<FileEntry[]> {
  const pageOf = new Map(addresses.map(path => [pageFile(path), path]));
  const kindOf = (file: string): FileEntry['kind'] => {
    if (pageOf.has(file)) return 'page';
    if (file === '404.html') return 'not-found';
    if (file.startsWith('static/')) return 'hashed';
    return /\.(svg|png|jpg|ico)$/.test(file) ? 'shared' : 'plain';
  };
  const entries = listFiles(site).map(async file => ({
    path: pageOf.get(file) ?? `/${file}`,
    file,
    kind: kindOf(file),
    ...(file.endsWith('.html') && { styles }),
    ...(await encodeFile(join(site, file))),
  }));
  return Promise.all(entries);
}
