import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uiFolder } from '../vite-config.ts';
import { listUsedNames, pruneStyles } from './prune-styles.ts';

test('an unset registered property has its initial value, also in browsers without @property', () => {
  const css = `@layer properties{@supports (a:b){*{--line:solid;--lead:initial}}}
    .a{border-style:var(--line);line-height:var(--lead,var(--text))}.b{--line:none}
    :root{--text:1.5}
    @property --line{syntax:"*";inherits:false;initial-value:solid}
    @property --lead{syntax:"*";inherits:false}`;
  const without = pruneStyles(css, listUsedNames('<p class=a>')).replaceAll(/\s+/g, '');
  expect(without).toBe('@layerproperties;.a{border-style:solid;line-height:var(--text)}:root{--text:1.5}');
  const withSetter = pruneStyles(css, listUsedNames('<p class="a b">'));
  expect(withSetter).toContain('border-style:var(--line)');
  expect(withSetter).toContain('@property --line');
  expect(withSetter).toContain('@supports (a:b)');
});

test('the rules for whatever the boot script sets on an element are kept', () => {
  const sources = ['boot.ts', 'motion.ts'].map(file => readFileSync(join(uiFolder, file), 'utf8')).join('\n');
  const set = Array.from(sources.matchAll(/(?:toggle|set)Attribute\('([\w-]+)'/g), ([, name]) => name);
  const data = Array.from(sources.matchAll(/dataset\.(\w+) = /g), ([, name]) => `data-${name}`);
  expect([...set, ...data].length).toBeGreaterThan(3);
  const kept = listUsedNames('');
  expect([...set, ...data].filter(name => !kept.has(`[${name}]`))).toEqual([]);
});

test('a page keeps the rules for what its prose contains, not for the same elements beside it', () => {
  const css =
    '.prose :where(p,ul){margin:1px}.prose :where(h2){margin:2px}.prose :where(li+li){margin:3px}.prose{margin:4px}';
  const pruned = pruneStyles(css, listUsedNames('<h2>a</h2><ul><li>b</ul><div class="x prose"><p>c</div>'));
  expect(pruned).toBe('.prose :where(p,ul){margin:1px}.prose{margin:4px}');
});
