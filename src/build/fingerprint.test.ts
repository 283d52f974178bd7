import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  computeFingerprint,
  describeDifference,
  type Fingerprint,
  fingerprintFile,
  readFingerprint,
} from './fingerprint.ts';

let folder: string;
let before: Fingerprint;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wardhouse-print-'));
  mkdirSync(join(folder, 'src/site/pages'), { recursive: true });
  mkdirSync(join(folder, 'content'));
  write('src/site/pages/home.tsx', 'home');
  write('content/home.yaml', 'words');
  write('package-lock.json', '{}');
  before = take();
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the fingerprint of a build', () => {
  test('stays the same while nothing changes', () => {
    write('src/site/pages/home.tsx', 'home');
    expect(take()).toEqual(before);
    expect(describeDifference(before, take())).toBeUndefined();
  });

  test.each<[what: string, changed: keyof Fingerprint, change: () => void]>([
    ['a source', 'sources', () => write('src/site/pages/home.tsx', 'house')],
    ['a new source', 'sources', () => write('src/site/pages/new.tsx', '')],
    ['a style sheet', 'sources', () => write('src/site/site.css', '')],
    ['the name of a source', 'sources', () => rename('src/site/pages/home.tsx', 'src/site/home.tsx')],
    ['the words', 'content', () => write('content/home.yaml', 'other words')],
    ['words in Markdown', 'content', () => write('content/terms.md', '')],
    ['the lockfile', 'lockfile', () => write('package-lock.json', '{ }')],
    ['a lockfile that is gone', 'lockfile', () => rmSync(join(folder, 'package-lock.json'))],
  ])('changes with %s, and in nothing but %s', (_, changed, change) => {
    change();
    const { [changed]: now, ...others } = take();
    const { [changed]: then, ...same } = before;
    expect(now).not.toBe(then);
    expect(others).toEqual(same);
  });

  test('follows symbolic links, and ignores broken ones', () => {
    write('elsewhere.md', 'words');
    symlinkSync(join(folder, 'elsewhere.md'), join(folder, 'content/terms.md'));
    const linked = take();
    expect(linked.content).not.toBe(before.content);
    write('elsewhere.md', 'other words');
    expect(take().content).not.toBe(linked.content);
    rmSync(join(folder, 'elsewhere.md'));
    expect(take()).toEqual(before);
  });

  test('changes with the public address, which the pages show', () => {
    expect(take('https://www.example.com')).toEqual({ ...before, SITE_URL: 'https://www.example.com' });
  });

  test('changes with the services that the pages post to themselves', () => {
    const contactEndpoint = 'https://sheets.example/1';
    const newsletterEndpoint = 'https://letters.example/2';
    expect(computeFingerprint(folder, { siteUrl: undefined, contactEndpoint, newsletterEndpoint })).toEqual({
      ...before,
      CONTACT_ENDPOINT: contactEndpoint,
      NEWSLETTER_ENDPOINT: newsletterEndpoint,
    });
  });

  test('changes with the retention period, which the privacy page shows', () => {
    const retention = { messagesDays: 365, quarantineDays: 0 };
    expect(before).toMatchObject({ KEEP_MESSAGES_DAYS: '730', KEEP_QUARANTINE_DAYS: '90' });
    expect(computeFingerprint(folder, { siteUrl: undefined, retention })).toEqual({
      ...before,
      KEEP_MESSAGES_DAYS: '365',
      KEEP_QUARANTINE_DAYS: '0',
    });
  });

  test.each([
    'src/site/pages/home.test.tsx',
    'src/boot.test.ts',
    'src/README.md',
    'tests/run.ts',
    'README.md',
  ])('does not change with %s, which is in no page', file => {
    write(file, 'new');
    expect(take()).toEqual(before);
  });

  test('does not depend on the folder of the project', () => {
    const elsewhere = `${folder}-moved`;
    renameSync(folder, elsewhere);
    expect(computeFingerprint(elsewhere, { siteUrl: undefined })).toEqual(before);
    renameSync(elsewhere, folder);
  });

  test('is read from the build, if there is one', () => {
    expect(readFingerprint(folder)).toBeUndefined();
    write(fingerprintFile, JSON.stringify(before));
    expect(readFingerprint(folder)).toEqual(before);
  });
});

describe('a difference', () => {
  const one: Fingerprint = {
    sources: 'aaa',
    content: 'bbb',
    lockfile: 'ccc',
    SITE_URL: '',
    CONTACT_ENDPOINT: '',
    NEWSLETTER_ENDPOINT: '',
    KEEP_MESSAGES_DAYS: '730',
    KEEP_QUARANTINE_DAYS: '90',
    HSTS: '',
  };

  test('names the setting of the build and the requested one', () => {
    expect(describeDifference(one, { ...one, SITE_URL: 'https://b.example' })).toBe(
      'built for SITE_URL (none), started for SITE_URL https://b.example',
    );
    expect(describeDifference({ ...one, SITE_URL: 'https://a.example' }, { ...one, content: 'ddd' })).toBe(
      'built for content bbb, SITE_URL https://a.example, started for content ddd, SITE_URL (none)',
    );
  });

  test('includes settings that an older build does not have', () => {
    const { SITE_URL: _, ...older } = one;
    expect(describeDifference(older as Fingerprint, { ...one, SITE_URL: 'https://b.example' })).toBe(
      'built for SITE_URL (none), started for SITE_URL https://b.example',
    );
  });
});

function write(file: string, text: string): void {
  mkdirSync(join(folder, file, '..'), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function rename(from: string, to: string): void {
  renameSync(join(folder, from), join(folder, to));
}

function take(siteUrl?: string): Fingerprint {
  return computeFingerprint(folder, { siteUrl });
}
