import {
  isExampleAddress,
  isExampleEmail,
  isExampleHost,
  isExamplePhone,
} from '../../../content/example-data.ts';
import { type Check, type Facts, missing, must, ready, should } from '../check.ts';

const file = 'content/company.yaml';
const brandFile = 'content/brand/brand.yaml';

export const companyChecks: Check[] = [
  must(
    'Content',
    'The site cannot be built while content/ has validation errors.',
    ({ siteContent: { errors } }) => {
      if (errors.length === 0) return ready('content/ has no validation errors');
      return missing(`content/ has ${errors.length} validation errors; npm run publish-site lists them`);
    },
  ),
  must('Phone number', 'Visitors call it.', facts => {
    const { phone } = requireCompany(facts);
    return isExamplePhone(phone)
      ? missing(`${phone} is reserved for examples; set phone in ${file}`)
      : ready(`${phone} is shown`);
  }),
  must('Email address', 'Visitors write to it, also with privacy requests and complaints.', facts => {
    const { email } = requireCompany(facts);
    return isExampleEmail(email)
      ? missing(`${email} is an example; set email in ${file}`)
      : ready(`${email} is shown`);
  }),
  must('Postal address', 'Visitors expect a postal address, and the law requires one.', facts => {
    const { address, addressNote } = requireCompany(facts);
    return isExampleAddress([...address, addressNote ?? ''])
      ? missing(`it is an example; set address in ${file}, and addressNote to null`)
      : ready(address.join(', '));
  }),
  must(
    'Registration details',
    "A UK company's site must show its registered name, number, place of registration and office.",
    facts => {
      const { brand, company } = requireContent(facts);
      if (!brand.show.registration) return missing(`set registration under show to true in ${brandFile}`);
      if (!brand.legalName) return missing(`set legalName in ${brandFile}`);
      const { vat: _, ...details } = company.registration;
      const empty = Object.entries(details).filter(([, value]) => value === null);
      if (empty.length === 0) return ready(`${brand.legalName}, ${details.number}`);
      return missing(`set ${joinNames(empty.map(([name]) => name))} under registration in ${file}`);
    },
  ),
  should('VAT number', 'A company that has one must show it.', facts => {
    const { vat } = requireCompany(facts).registration;
    if (vat) return ready(vat);
    return missing(`no vat under registration in ${file}; ignore this if you have none`);
  }),
  should('Governing law', 'The terms do not name the law that governs them.', facts => {
    const { governingLaw, governingLawFallback } = requireCompany(facts);
    if (governingLaw) return ready(governingLaw);
    return missing(`the terms say '${governingLawFallback}'; set governingLaw in ${file}`);
  }),
  must('Social links', 'They are shown on every page.', facts => {
    const { social } = requireContent(facts).brand;
    const left = social.filter(({ url }) => isExampleHost(new URL(url).hostname));
    if (left.length === 0) return ready(joinNames(social.map(({ label }) => label)) || 'none');
    const labels = joinNames(left.map(({ label }) => `'${label}'`));
    return missing(`the url of ${labels} is an example; set or delete it under social in ${brandFile}`);
  }),
];

function requireContent({ siteContent: { content } }: Facts) {
  if (!content) throw new Error('content/ has validation errors');
  return content;
}

function requireCompany(facts: Facts) {
  return requireContent(facts).company;
}

function joinNames(names: string[]): string {
  return names.join(', ');
}
