import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../tests/harness/site.ts';
import { newsletterForms } from '../api/contract.ts';
import { readWordings, wordingId } from './consent-texts.ts';
import { readContent } from './read-content.ts';

test('every box has words that people agree to, known by an id made of them alone', () => {
  const { content } = readContent(join(root, 'content'));
  if (!content) throw new Error('There are mistakes in content/');
  const wordings = readWordings(content);
  expect(Object.keys(wordings).sort()).toEqual([...newsletterForms].sort());
  for (const { id, text } of Object.values(wordings)) expect(id).toBe(wordingId(text));
  expect(wordings.home.text).toBe(content.home.newsletter.note);
  expect(wordingId('Monthly.')).toMatch(/^[\da-f]{16}$/);
  expect(wordingId('Monthly.')).not.toBe(wordingId('Weekly.'));
});
