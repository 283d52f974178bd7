import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { createTempFolder } from '../../../tests/harness/temp-folder.ts';
import { computeFingerprint, type Fingerprint } from './fingerprint.ts';

let folder: string;
let before: Fingerprint;
beforeEach(() => {
  folder = createTempFolder();
  write('src/features/site/pages/home.tsx', 'home');
  write('content/home.yaml', 'words');
  write('package-lock.json', '{}');
  before = compute();
});

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function compute(settings: Partial<Parameters<typeof computeFingerprint>[1]> = {}): Fingerprint {
  return computeFingerprint(folder, { siteUrl: undefined, ...settings });
}

test.each<[what: string, changed: keyof Fingerprint, change: () => void]>([
  ['a source', 'sources', () => write('src/features/site/pages/home.tsx', 'house')],
  ['words', 'content', () => write('content/home.yaml', 'other words')],
  ['the lockfile', 'lockfile', () => write('package-lock.json', '{ }')],
])('the fingerprint of a build changes with %s, and in nothing but %s', (_, changed, change) => {
  change();
  const { [changed]: now, ...others } = compute();
  const { [changed]: then, ...same } = before;
  expect(now).not.toBe(then);
  expect(others).toEqual(same);
});

test('it changes with the settings that the pages show or post to', () => {
  const settings = {
    siteUrl: 'https://www.example.com',
    contactEndpoint: 'https://sheets.example/1',
    newsletterEndpoint: 'https://letters.example/2',
    retention: { messagesDays: 365, quarantineDays: 0 },
    audit: { isOn: false },
  };
  expect(compute(settings)).toEqual({
    ...before,
    SITE_URL: settings.siteUrl,
    CONTACT_ENDPOINT: settings.contactEndpoint,
    NEWSLETTER_ENDPOINT: settings.newsletterEndpoint,
    KEEP_MESSAGES_DAYS: '365',
    KEEP_QUARANTINE_DAYS: '0',
    AUDIT: 'off',
  });
});
