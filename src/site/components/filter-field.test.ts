import { expect, test } from 'vitest';
import { containsWords, normalizeText } from './filter-field.tsx';

const text = normalizeText('Do you comply with the PCI-DSS? Clients’ e-mail: José’s café, 9am–5pm.');

test.each([
  ['nothing at all', ''],
  ['spaces alone', '  '],
  ['another case', 'COMPLY'],
  ['part of a word', 'compl'],
  ['accents left out', 'jose cafe'],
  ['accents put in', 'cómply'],
  ['words in another order', 'email  pcidss do'],
  ['a hyphen or none', 'pci-dss e mail'],
  ['a straight apostrophe for a curly one', "clients' josé's"],
  ['a mark at the end', 'pci-dss?'],
  ['marks alone', '?!'],
])('what a visitor typed is found: %s', (_, typed) => expect(containsWords(text, typed)).toBe(true));

test.each([
  ['a word that is not there', 'refund'],
  ['one word that is there and one that is not', 'comply refund'],
  ['two words run together', 'complywith'],
])('what a visitor typed is not found: %s', (_, typed) => expect(containsWords(text, typed)).toBe(false));
