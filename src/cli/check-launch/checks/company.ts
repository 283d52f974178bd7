import {
  isExampleAddress,
  isExampleEmail,
  isExampleHost,
  isExamplePhone,
} from '../../../content/example-data.ts';
import { type Check, type Facts, missing, must, ready, should } from '../check.ts';

const file = 'content/company.yaml';

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
      const { vat: _, ...details } = requireCompany(facts).registration;
      const empty = Object.entries(details).filter(([, value]) => value === null);
      if (empty.length === 0) return ready(`${details.name}, ${details.number}`);
      return missing(`set ${joinNames(empty.map(([name]) => name))} under registration in ${file}`);
    },
  ),
  should('VAT number', 'A company that has one must show it.', facts => {
    const { vat } = requireCompany(facts).registration;
    if (vat) return ready(vat);
    return missing(`no vat under registration in ${file}; ignore this if you have none`);
  }),
  should('Governing law', 'The terms do not name the law that governs them.', facts => {
    const { governingLaw, governingLawUnfilled } = requireCompany(facts);
    if (governingLaw) return ready(governingLaw);
    return missing(`the terms say '${governingLawUnfilled}'; set governingLaw in ${file}`);
  }),
  must('Social links', 'They are shown on every page.', facts => {
    const { social } = requireCompany(facts);
    const left = Object.entries(social).filter(([, { url }]) => isExampleHost(new URL(url).hostname));
    if (left.length === 0) return ready(joinNames(Object.values(social).map(({ label }) => label)));
    return missing(
      `set the url of ${joinNames(left.map(([name]) => name))} under social in ${file}, still an example`,
    );
  }),
];

function requireCompany({ siteContent: { content } }: Facts) {
  if (!content) throw new Error('content/ has validation errors');
  return content.company;
}

function joinNames(names: string[]): string {
  return names.join(', ');
}
