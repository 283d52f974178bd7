import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { newsletterForms } from '../api/contract.ts';
import { consentTextId, readConsentTexts } from './consent-texts.ts';
import { readContent } from './read-content.ts';

test('each sign-up form has a consent text whose id depends only on the text', () => {
  const { content } = readContent(join(root, 'content'));
  if (!content) throw new Error('There are errors in content/');
  const texts = readConsentTexts(content);
  expect(Object.keys(texts).sort()).toEqual([...newsletterForms].sort());
  for (const { id, text } of Object.values(texts)) expect(id).toBe(consentTextId(text));
  expect(texts.home.text).toBe(content.home.newsletter.note);
  expect(consentTextId('Monthly.')).toMatch(/^[\da-f]{16}$/);
  expect(consentTextId('Monthly.')).not.toBe(consentTextId('Weekly.'));
});
