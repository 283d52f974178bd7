import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const file = resolve(import.meta.dirname, '../../../.env.example');

export type Setting = { text: string; value: string };

/** What .env.example says about a setting: the comment above it, and its default. */
export function readSetting(name: string): Setting | undefined {
  const lines = readFileSync(file, 'utf8').split('\n');
  const at = lines.findIndex(line => line.startsWith(`${name}=`));
  if (!/^[A-Z_]+$/.test(name) || at < 0) return undefined;
  const before = lines.slice(0, at);
  const start = before.findLastIndex(line => !line.startsWith('#')) + 1;
  const text = before.slice(start).map(line => line.replace(/^# ?/, ''));
  return { text: text.join(' '), value: (lines[at] ?? '').slice(name.length + 1) };
}
