import {
  isExampleAddress,
  isExampleEmail,
  isExampleHost,
  isExamplePhone,
} from '../../content/example-data.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { iconPaths } from './web-manifest.ts';

export type JsonLdNode = { '@type': string; '@id'?: string; [property: string]: unknown };

/** Example numbers and addresses are left out: search engines would store them as true. */
export function describeCompany({ company, found }: Content, siteUrl: string): JsonLdNode {
  const { email, phone, address, addressNote, registration, social } = company;
  const profiles = Object.values(social).map(({ url }) => url);
  const real = profiles.filter(url => !isExampleHost(new URL(url).hostname));
  return {
    '@type': 'Organization',
    '@id': companyId(siteUrl),
    url: `${siteUrl}/`,
    name: company.name,
    description: found.summary,
    logo: { '@type': 'ImageObject', url: siteUrl + iconPaths.large, width: 512, height: 512 },
    ...(!isExampleEmail(email) && { email }),
    ...(!isExamplePhone(phone) && { telephone: phone }),
    ...(!isExampleAddress([...address, addressNote ?? '']) && { address: address.join(', ') }),
    ...(registration.name && { legalName: registration.name }),
    ...(registration.vat && { vatID: registration.vat }),
    ...(real.length > 0 && { sameAs: real }),
  };
}

/** For pages other than home, which describes the company in full under the same id. */
export function referToCompany({ company }: Content, siteUrl: string): JsonLdNode {
  return { '@type': 'Organization', '@id': companyId(siteUrl), url: `${siteUrl}/`, name: company.name };
}

export function companyId(siteUrl: string): string {
  return `${siteUrl}/#company`;
}
