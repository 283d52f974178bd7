import { expect, test } from 'vitest';
import { writeSmallBuild } from '../../../tests/harness/small-build.ts';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { loadFiles } from './static-files.ts';

test.each([
  ['/contact', ['/Contact', '/contact/', '//contact', '/contact.html', '/contact/index.html', '/%63ontact']],
  ['/', ['//', '/index.html', '/%2f']],
  [undefined, ['/contacts', '/%E0%A4%A', '/contact%00', '/ICON.SVG', '/constructor', '*']],
])('%j is asked for in other spellings', (canonical, paths) => {
  const folder = createTempFolder();
  writeSmallBuild(folder);
  const files = loadFiles(folder);
  for (const path of paths) expect(files.canonical(path), path).toBe(canonical);
});
