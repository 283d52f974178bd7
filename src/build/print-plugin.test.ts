import { expect, test } from 'vitest';
import { printPlugin } from './vite-config.ts';

const transform = printPlugin('https://a.example').transform as (
  code: string,
  id: string,
) => string | undefined;

test.each(['', '?direct'])("the style sheet gets the site's URL for %j", query => {
  expect(transform('', `/site/styles/site.css${query}`)).toContain('--site: "https://a.example"');
  expect(transform('', `/site/styles/base.css${query}`)).toBeUndefined();
});
