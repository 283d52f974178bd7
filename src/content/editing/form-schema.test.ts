import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../../tests/harness/site.ts';
import { schemas } from '../schemas/all-schemas.ts';
import { createFormSchema } from './form-schema.ts';
import { readRemarks } from './read-remarks.ts';

const read = (file: string) => readFileSync(join(root, 'content', file), 'utf8');

test('a form has limits, words of help and what may be left out', () => {
  const { fields: company } = createFormSchema(schemas.company);
  expect(company).toMatchObject({
    phone: { kind: 'text', help: 'Digits and spaces, such as "020 7946 0123"' },
    securityContact: { isOptional: true, isNullable: true, max: 254 },
    address: { kind: 'list', min: 1, max: 8, item: { kind: 'text', max: 80 } },
  });
  const questions = createFormSchema(schemas.faq).fields?.groups?.item?.fields?.questions;
  expect(questions?.item?.fields?.answer).toMatchObject({ isMarkdown: true, words: { min: 40, max: 90 } });
});

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
