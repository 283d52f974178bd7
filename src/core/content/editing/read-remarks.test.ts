import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../../tests/harness/site.ts';
import { readRemarks } from './read-remarks.ts';

const read = (file: string) => readFileSync(join(root, 'content', file), 'utf8');

test('comments of a file are help for its fields, and mark what is prescribed', () => {
  const company = readRemarks('company.yaml', read('company.yaml'));
  expect(company.about).toMatch(/^Facts about the company:/);
  expect(company.fields).toMatchObject({
    supportHours: { prescribed: '' },
    'promises/reply': { help: "how soon you answer a message, for example 'Within one working day'" },
    securityContact: { help: expect.stringMatching(/^Where reports of a weakness/) },
  });
  expect(readRemarks('terms.md', read('terms.md'))).toMatchObject({
    fields: { title: { prescribed: '' }, short: { help: expect.stringMatching(/^The main points/) } },
  });
});
