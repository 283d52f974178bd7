import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { FontFile } from '../../core/content/brand/brand-files.ts';

export function formatLicenceNotices(moduleIds: Iterable<string>, fontFiles: FontFile[]): string {
  const packages = new Set([...moduleIds].map(packageFolder).filter(folder => folder !== undefined));
  const entries = [...packages].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version} (${license})\n\n${licenceText(folder, name)}`;
  });
  const fonts = fontFiles
    .map(({ path }) => path.replace(/\.woff2$/, '.LICENSE.txt'))
    .filter(path => existsSync(path))
    .map(path => `Font ${basename(path, '.LICENSE.txt')}\n\n${readFileSync(path, 'utf8').trim()}`);
  const rule = `\n\n${'-'.repeat(78)}\n\n`;
  return `Third-party software in the pages of this site\n\n${[...entries, ...fonts].join(rule)}\n`;
}

/** Some packages have a nameless package.json in a subfolder: the search goes on above it. */
function packageFolder(moduleId: string): string | undefined {
  const file = moduleId.replace(/^\0/, '').split('?')[0] ?? '';
  if (!file.includes('/node_modules/')) return undefined;
  for (let folder = dirname(file); folder.includes('/node_modules/'); folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name) return folder;
  }
  return undefined;
}

function licenceText(folder: string, name: string): string {
  const file = readdirSync(folder).find(entry => /^licen[cs]e/i.test(entry));
  const path = file ? join(folder, file) : join(import.meta.dirname, 'licences', `${name}.txt`);
  if (!existsSync(path)) throw new Error(`${folder} has no licence file, and its code is in the pages`);
  return readFileSync(path, 'utf8').trim();
}
