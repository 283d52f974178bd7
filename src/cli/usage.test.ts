import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const usages = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
  .flatMap(({ name }) => {
    const [, usage] =
      /^const usage = `(npm run [^`]*)`;$/m.exec(readFileSync(`${import.meta.dirname}/${name}`, 'utf8')) ??
      [];
    return usage ? [[name, usage] as const] : [];
  });

test('every command has its usage', () => {
  expect(usages.map(([name]) => name)).toEqual(
    [
      'backup',
      'check-launch',
      'check-supply',
      'inbox',
      'newsletter',
      'privacy',
      'restore',
      'sbom',
      'schemas',
    ].map(name => `${name}.ts`),
  );
});

test.each(usages)('the usage of %s fits a terminal of 80 columns', (_, usage) => {
  expect(usage.split('\n').filter(line => line.length > 80)).toEqual([]);
});
