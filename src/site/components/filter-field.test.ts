import { expect, test } from 'vitest';
import { containsWords, normalizeText } from './filter-field.tsx';

const text = normalizeText('Do you comply with the PCI-DSS? Clients’ e-mail: José’s café, 9am–5pm.');

test.each([
  ['an empty query', ''],
  ['only spaces', '  '],
  ['another case', 'COMPLY'],
  ['part of a word', 'compl'],
  ['accents left out', 'jose cafe'],
  ['accents put in', 'cómply'],
  ['words in another order', 'email  pcidss do'],
  ['a hyphen or none', 'pci-dss e mail'],
  ['a straight apostrophe for a curly one', "clients' josé's"],
  ['punctuation at the end', 'pci-dss?'],
  ['punctuation alone', '?!'],
])('matches %s', (_, typed) => expect(containsWords(text, typed)).toBe(true));

test.each([
  ['a word that is not there', 'refund'],
  ['one word that is there and one that is not', 'comply refund'],
  ['two words run together', 'complywith'],
])('does not match %s', (_, typed) => expect(containsWords(text, typed)).toBe(false));
