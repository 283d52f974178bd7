import {
  isExampleAddress,
  isExampleEmail,
  isExampleHost,
  isExamplePhone,
} from '../../../content/examples.ts';
import type { ContentResult } from '../../../content/read.ts';
import { type Check, type Facts, type Finding, missing, notChecked, ready } from '../check.ts';

type Company = NonNullable<ContentResult['content']>['company'];

const file = 'content/company.yaml';

/** What the pages say about the company, while it is still what the project was shipped with. */
export const companyLines: Check[] = [
  {
    name: 'Words',
    level: 'must',
    why: 'The site cannot be built from words with mistakes.',
    look({ words: { mistakes } }) {
      if (mistakes.length === 0) return ready('content/ has no mistakes');
      return missing(`content/ has mistakes (${mistakes.length}); npm run build names each with its line`);
    },
  },
  {
    name: 'Phone number',
    level: 'must',
    why: 'Visitors dial it, and nobody answers an example.',
    look: ofCompany(({ phone }) =>
      isExamplePhone(phone)
        ? missing(`${phone} is reserved for examples; set phone in ${file}`)
        : ready(`${phone} is shown`),
    ),
  },
  {
    name: 'E-mail address',
    level: 'must',
    why: 'Visitors write to it, and privacy requests and complaints are sent there.',
    look: ofCompany(({ email }) =>
      isExampleEmail(email)
        ? missing(`${email} is an example; set email in ${file}`)
        : ready(`${email} is shown`),
    ),
  },
  {
    name: 'Postal address',
    level: 'must',
    why: 'Visitors and the law expect an address at which the company can be reached.',
    look: ofCompany(({ address, addressNote }) =>
      isExampleAddress([...address, addressNote ?? ''])
        ? missing(`it is an example; set address in ${file}, and addressNote to null`)
        : ready(address.join(', ')),
    ),
  },
  {
    name: 'Registration details',
    level: 'must',
    why: "A UK company's site must show its registered name, number, place of registration and office.",
    look: ofCompany(({ registration: { vat: _, ...details } }) => {
      const empty = Object.entries(details).filter(([, value]) => value === null);
      if (empty.length === 0) return ready(`${details.name}, ${details.number}`);
      return missing(`set ${listed(empty.map(([name]) => name))} under registration in ${file}`);
    }),
  },
  {
    name: 'VAT number',
    level: 'should',
    why: 'A company that has one must show it.',
    look: ofCompany(({ registration: { vat } }) =>
      vat
        ? ready(vat)
        : missing(`there is no vat under registration in ${file}; leave it so if you have none`),
    ),
  },
  {
    name: 'Governing law',
    level: 'should',
    why: 'The terms do not say which law they are under.',
    look: ofCompany(({ governingLaw, governingLawUnfilled }) =>
      governingLaw
        ? ready(governingLaw)
        : missing(`the terms say '${governingLawUnfilled}'; set governingLaw in ${file}`),
    ),
  },
  {
    name: 'Social links',
    level: 'must',
    why: 'They stand on every page and lead visitors nowhere.',
    look: ofCompany(({ social }) => {
      const left = Object.entries(social).filter(([, { url }]) => isExampleHost(new URL(url).hostname));
      if (left.length === 0) return ready(listed(Object.values(social).map(({ label }) => label)));
      return missing(
        `set the url of ${listed(left.map(([name]) => name))} under social in ${file}, still an example`,
      );
    }),
  },
];

function ofCompany(look: (company: Company) => Finding): (facts: Facts) => Finding {
  return ({ words: { content } }) =>
    content ? look(content.company) : notChecked('content/ has mistakes, so it was not read');
}

function listed(names: string[]): string {
  return names.join(', ');
}
