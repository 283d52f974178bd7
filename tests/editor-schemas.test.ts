import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeEditorSchemas } from '../src/build/editor-schemas.ts';
import { root } from './harness/site.ts';

const folder = mkdtempSync(join(tmpdir(), 'wardhouse-schemas-'));
writeEditorSchemas(folder);
afterAll(() => rmSync(folder, { recursive: true }));

const read = (name: string) => JSON.parse(readFileSync(join(folder, 'schemas', name), 'utf8'));

test('every YAML file of content/ names its own schema in its first line', () => {
  const files = readdirSync(join(root, 'content'), { recursive: true, encoding: 'utf8' });
  const named = files
    .filter(file => file.endsWith('.yaml'))
    .map(file => {
      const text = readFileSync(join(root, 'content', file), 'utf8');
      const [, address = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
      return [resolve(root, 'content', file, '..', address), `content/${file}`];
    });
  const written = readdirSync(join(folder, 'schemas'));
  expect(Object.fromEntries(named)).toEqual(
    Object.fromEntries(written.map(name => [join(root, 'schemas', name), read(name).title])),
  );
});
