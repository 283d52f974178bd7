import {
  isExampleAddress,
  isExampleEmail,
  isExampleHost,
  isExamplePhone,
} from '../../core/content/example-data.ts';
import { below, failed, type LaunchCheck, ready, recommended, required } from '../../core/launch/check.ts';
import { places } from '../../core/launch/places.ts';
import { type ContentContext, requireContent } from './require-content.ts';

const file = 'content/company.yaml';
const brandFile = 'content/brand/brand.yaml';

export const companyChecks: LaunchCheck<ContentContext>[] = below(
  'Content',
  required(
    'Phone number',
    'Visitors call it.',
    places.words('company.yaml', 'phone', 'Edit the phone number'),
    context => {
      const { phone } = requireCompany(context);
      return isExamplePhone(phone)
        ? failed(`${phone} is reserved for examples`, `run npm run setup, or set phone in ${file}`)
        : ready(`${phone} is shown`);
    },
  ),
  required(
    'Email address',
    'Visitors write to it, also with privacy requests and complaints.',
    places.words('company.yaml', 'email', 'Edit the email address'),
    context => {
      const { email } = requireCompany(context);
      return isExampleEmail(email)
        ? failed(`${email} is an example`, `run npm run setup, or set email in ${file}`)
        : ready(`${email} is shown`);
    },
  ),
  required(
    'Postal address',
    'Visitors expect a postal address, and the law requires one.',
    places.words('company.yaml', 'address', 'Edit the address'),
    context => {
      const { address, addressNote } = requireCompany(context);
      return isExampleAddress([...address, addressNote ?? ''])
        ? failed('it is an example', `run npm run setup, or set address in ${file}, and addressNote to null`)
        : ready(address.join(', '));
    },
  ),
  required(
    'Registration details',
    "A UK company's site must show its registered name, number, place of registration and office.",
    places.words('company.yaml', 'registration', 'Edit the registration'),
    context => {
      const { brand, company } = requireContent(context);
      if (!brand.show.registration)
        return failed('they are not shown', `set registration under show to true in ${brandFile}`);
      if (!brand.legalName) return failed('the registered name is missing', `set legalName in ${brandFile}`);
      const { vat: _, ...details } = company.registration;
      const empty = Object.entries(details).filter(([, value]) => value === null);
      if (empty.length === 0) return ready(`${brand.legalName}, ${details.number}`);
      const missing = joinNames(empty.map(([name]) => name));
      return failed(`missing: ${missing}`, `set ${missing} under registration in ${file}`);
    },
  ),
  recommended(
    'VAT number',
    'A company that has one must show it.',
    places.words('company.yaml', 'registration', 'Edit the VAT number'),
    context => {
      const { vat } = requireCompany(context).registration;
      if (vat) return ready(vat);
      return failed(
        'none is shown; ignore this if you have none',
        `else set vat under registration in ${file}`,
      );
    },
  ),
  recommended(
    'Governing law',
    'The terms do not name the law that governs them.',
    places.words('company.yaml', 'governingLaw', 'Edit the governing law'),
    context => {
      const { governingLaw, governingLawFallback } = requireCompany(context);
      if (governingLaw) return ready(governingLaw);
      return failed(`the terms say '${governingLawFallback}'`, `set governingLaw in ${file}`);
    },
  ),
  required(
    'Social links',
    'They are shown on every page.',
    places.words('brand/brand.yaml', 'social', 'Edit the links'),
    context => {
      const { social } = requireContent(context).brand;
      const left = social.filter(({ url }) => isExampleHost(new URL(url).hostname));
      if (left.length === 0) return ready(joinNames(social.map(({ label }) => label)) || 'none');
      const labels = joinNames(left.map(({ label }) => `'${label}'`));
      return failed(`the url of ${labels} is an example`, `set or delete it under social in ${brandFile}`);
    },
  ),
);

function requireCompany(context: ContentContext) {
  return requireContent(context).company;
}

function joinNames(names: string[]): string {
  return names.join(', ');
}
