import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLogger, type InlineConfig, type Rolldown, build as runVite } from 'vite';
import { deleteUnusedFiles } from '../../core/build-cache.ts';
import { type Clock, systemClock } from '../../core/clock.ts';
import { BuildError } from '../../core/content/build-error.ts';
import { securityTxtPath } from '../../core/http/check-security-txt.ts';
import { publishedContent, serverFolder } from '../../core/http/current-build.ts';
import { headerSettings, speculationRulesPath } from '../../core/http/headers.ts';
import { fileTable } from '../../core/http/static-files.ts';
import { withProductionEnv } from '../../core/settings/environment.ts';
import { postsFile } from '../../features/blog/due-posts.ts';
import { selectDuePosts } from '../../features/blog/select-due-posts.ts';
import { buildParts } from '../../features.build.ts';
import { adaptContent, planViews } from './adapt-content.ts';
import { listLinksToOffPages } from './check-content-links.ts';
import { checkSources } from './check-site.ts';
import { collectAssets } from './collect-assets.ts';
import { compressFiles, mapWithConcurrency } from './compress-files.ts';
import { type BuildConfig, listPages, pageSettings } from './create-page-settings.ts';
import { computeFingerprint, fingerprintFile } from './fingerprint.ts';
import { describeIgnoredRules, formatHeadersFile, headersFile } from './headers-file.ts';
import { formatLicenceNotices } from './licence-notices.ts';
import { copyPreviousAssets } from './previous-assets.ts';
import { formatSecurityTxt } from './security-txt.ts';
import { addOpenGraphUrls } from './seo/open-graph-images.ts';
import { listGeneratedFiles } from './seo/seo-files.ts';
import { listSitePages } from './site-parts.ts';
import { formatSpeculationRules } from './speculation-rules.ts';
import { clientConfig, contentFolder, prerenderConfig, root } from './vite-config.ts';
import { listFiles, writeFile, writePages } from './write-pages.ts';

export { BuildError };

const maxConcurrentDrawings = 4;

type BuildOptions = {
  config: BuildConfig;
  outDir: string;
  /** Open pages still request its assets; often the build that this one replaces. */
  previousBuild?: string;
  clock?: Clock;
  warn(text: string): void;
  onStep?(step: BuildStep): void;
};

export type BuildStep = keyof typeof buildSteps;

/** What a build does, in this order. */
export const buildSteps = {
  check: 'Checking the content',
  bundle: 'Building scripts and styles',
  pages: 'Writing the pages',
  files: 'Drawing images and compressing files',
};

export function buildSite(options: BuildOptions): Promise<void> {
  return withProductionEnv(() => build(options));
}

/** What fails is thrown, and told once, by the caller. */
const logger = { ...createLogger('warn'), error: () => undefined };
const bundle = (config: InlineConfig) => runVite({ ...config, customLogger: logger });

async function build({
  config,
  outDir,
  previousBuild,
  clock = systemClock,
  warn,
  onStep = () => undefined,
}: BuildOptions): Promise<void> {
  onStep('check');
  const settings = pageSettings(config, contentFolder);
  const { content, posts, problems, warnings } = checkSources(contentFolder, settings);
  if (!content || !posts || problems.length > 0) throw new BuildError(...problems);
  const { shown, publishedPosts, dateWarnings } = selectDuePosts(posts, clock.now());
  const offLinks = listLinksToOffPages(contentFolder, settings);
  for (const warning of [...warnings, ...dateWarnings, ...offLinks]) warn(warning);

  const fingerprint = computeFingerprint(root, config);
  const adapted = adaptContent(content, settings);
  const planned = planViews(adaptContent(shown, settings), adapted, settings);
  const views = addOpenGraphUrls(adapted, planned, config.siteUrl);
  const pages = listPages(settings, views);
  const sitePages = listSitePages(settings);
  mkdirSync(dirname(outDir), { recursive: true });
  // On the disk of its destination, so that a rename puts it in place.
  const work = mkdtempSync(join(dirname(outDir), '.work-'));
  const newBuild = join(work, 'dist');
  const site = join(newBuild, 'site');
  try {
    cpSync(contentFolder, join(newBuild, publishedContent), { recursive: true });
    onStep('bundle');
    const client = (await bundle(clientConfig(site, settings))) as Rolldown.RolldownOutput;
    await bundle(prerenderConfig(join(work, 'prerender'), settings));
    const assets = collectAssets(site, sitePages, content.brand);
    const { fontFiles } = content.brand;
    const modules = client.output.flatMap(output => (output.type === 'chunk' ? output.moduleIds : []));
    writeFileSync(
      join(site, 'third-party-notices.txt'),
      formatLicenceNotices(modules, [...fontFiles.text, ...fontFiles.code]),
    );
    writeFile(join(site, securityTxtPath), formatSecurityTxt(content.company, config.siteUrl, clock.now()));
    writeFile(join(site, speculationRulesPath), formatSpeculationRules(sitePages));
    const generated = listGeneratedFiles(adapted, views, config.siteUrl, pages.indexed);
    onStep('pages');
    const { errors: pageErrors, styles } = await writePages({
      prerender: join(work, 'prerender/prerender.mjs'),
      site,
      assets,
      pages,
      views,
      others: generated.map(({ path }) => path),
      content: adapted,
      siteUrl: config.siteUrl,
    });
    if (pageErrors.length > 0) throw new BuildError(...pageErrors);
    // The server runs audits and renders their reports; a static host does not.
    rmSync(join(work, 'prerender/prerender.mjs'));
    if (!config.contactEndpoint) {
      for (const [file, data] of buildParts.flatMap(part =>
        Object.entries(part.listServerData?.(content) ?? {}),
      ))
        writeFileSync(join(work, 'prerender', file), JSON.stringify(data));
      renameSync(join(work, 'prerender'), join(newBuild, serverFolder));
    }
    const previousAssets = previousBuild
      ? copyPreviousAssets({ from: previousBuild, site, now: clock.now() })
      : undefined;
    onStep('files');
    const encode = (files: string[]) =>
      compressFiles(site, files, pages, { generated, styles, previousAssets });
    const [ofPages] = await Promise.all([
      encode(listFiles(site)),
      mapWithConcurrency(generated, maxConcurrentDrawings, async ({ path, make }) =>
        writeFile(join(site, path), await make()),
      ),
    ]);
    const entries = [...ofPages, ...(await encode(generated.map(({ path }) => path.slice(1))))];
    writeFileSync(join(newBuild, fileTable), JSON.stringify(entries, null, 1));
    if (config.contactEndpoint) {
      const headers = formatHeadersFile(entries, headerSettings(config));
      const ignored = describeIgnoredRules(headers);
      if (ignored) warn(ignored);
      writeFileSync(join(site, headersFile), headers);
    }
    writeFileSync(join(newBuild, postsFile), JSON.stringify(publishedPosts, null, 1));
    writeFileSync(join(newBuild, fingerprintFile), JSON.stringify(fingerprint, null, 1));
    rmSync(outDir, { recursive: true, force: true });
    renameSync(newBuild, outDir);
    deleteUnusedFiles();
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
