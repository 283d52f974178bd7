import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FileEntry } from '../src/core/http/static-files.ts';
import { buildStaticSite } from './harness/builds.ts';

const outDir = await buildStaticSite();

const read = (file: string) => readFileSync(join(outDir, 'site', file), 'utf8');
const listFiles = () => (JSON.parse(read('../files.json')) as FileEntry[]).map(({ file }) => file);

test('has no file that needs a server or SITE_URL', () => {
  expect(listFiles().filter(file => /newsletter|audit|\.xml$/.test(file))).toEqual([]);
  for (const file of listFiles().filter(name => /\.(html|js)$/.test(name)))
    expect(read(file), file).not.toMatch(
      file.endsWith('.js') ? /\/api\/newsletter/ : /canonical|og:url|(rss|atom)\.xml|<form[^>]* action=/,
    );
});

test('the file of headers for static hosts has one CSP, which allows the services and the styles of each page', () => {
  const [policy = ''] = /content-security-policy: .*/i.exec(read('_headers')) ?? [];
  expect(policy).toContain("connect-src 'self' https://sheets.example https://letters.example;");
  for (const file of listFiles().filter(name => name.endsWith('.html'))) {
    const styles = [...read(file).matchAll(/<style[^>]*>(.*?)<\/style>/gs)];
    expect(styles, file).not.toEqual([]);
    for (const [, style = ''] of styles)
      expect(policy, file).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
  }
});
