import {
  isExampleAddress,
  isExampleEmail,
  isExampleHost,
  isExamplePhone,
} from '../../../core/content/example-data.ts';
import type { ViewJsonLd } from '../../../core/content/page-view.ts';
import type { Content } from '../../../features.content.ts';
import { iconPaths } from '../../../lib/icon-paths.ts';
import { companyId, describeImage, type JsonLdNode, siteLanguage as language } from '../../../lib/json-ld.ts';
import { paths } from '../../../ui/paths.ts';
import type { IndexedPage } from './indexed-pages.ts';

export type JsonLd = { '@context': 'https://schema.org'; '@graph': JsonLdNode[] };

export function buildJsonLd(content: Content, page: IndexedPage, siteUrl: string): JsonLd {
  const pageUrl = siteUrl + page.path;
  const isHome = page.path === paths.home;
  const view = page.view?.describe(siteUrl);
  const trail = isHome ? [] : [describeBreadcrumbs(content, page, view?.within, siteUrl)];
  const website: JsonLdNode = {
    '@type': 'WebSite',
    '@id': `${siteUrl}/#website`,
    url: `${siteUrl}/`,
    name: content.brand.name,
    ...(isHome && { description: content.home.description, inLanguage: language }),
    publisher: { '@id': companyId(siteUrl) },
  };
  const shown: JsonLdNode = {
    '@type': view?.schemaType ?? page.schemaType ?? 'WebPage',
    '@id': `${pageUrl}#page`,
    url: pageUrl,
    name: page.title,
    description: page.description,
    inLanguage: language,
    isPartOf: { '@id': website['@id'] },
    ...(isHome && { about: { '@id': companyId(siteUrl) } }),
    primaryImageOfPage: { '@type': 'ImageObject', url: siteUrl + page.imagePath },
    ...(page.updated && { dateModified: page.updated }),
    ...(trail[0] && { breadcrumb: { '@id': trail[0]['@id'] } }),
    ...view?.properties,
  };
  return {
    '@context': 'https://schema.org',
    '@graph': [
      isHome ? describeCompany(content, siteUrl) : referToCompany(content, siteUrl),
      website,
      shown,
      ...trail,
      ...listServices(content, page.path, siteUrl),
      ...(view?.nodes ?? []),
    ],
  };
}

function describeBreadcrumbs(
  { brand }: Content,
  { title, path }: IndexedPage,
  within: ViewJsonLd['within'],
  siteUrl: string,
): JsonLdNode {
  const steps = [
    { name: findHomeLabel(brand), item: `${siteUrl}/` },
    ...(within ? [{ name: within.name, item: siteUrl + within.path }] : []),
    { name: title, item: siteUrl + path },
  ];
  return {
    '@type': 'BreadcrumbList',
    '@id': `${siteUrl}${path}#trail`,
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  };
}

function findHomeLabel({ menu, name }: Content['brand']): string {
  return menu.find(({ path }) => path === paths.home)?.label ?? name;
}

/** By name: what each one is stands in the page itself, at its fragment. */
function listServices({ services, home }: Content, path: string, siteUrl: string): JsonLdNode[] {
  const own = services.services;
  const named: Record<string, { id: string; name: string }[]> = {
    [paths.services]: own,
    [paths.home]: own.filter(({ id }) => home.offer.cards.includes(id)),
  };
  return (named[path] ?? []).map(({ id, name }) => ({
    '@type': 'Service',
    '@id': `${siteUrl}${paths.services}#${id}`,
    name,
    provider: { '@id': companyId(siteUrl) },
  }));
}

/** Example numbers and addresses are left out: search engines would store them as true. */
function describeCompany({ brand, company, seo }: Content, siteUrl: string): JsonLdNode {
  const { email, phone, address, addressNote, registration } = company;
  const profiles = brand.social.map(({ url }) => url);
  const real = profiles.filter(url => !isExampleHost(new URL(url).hostname));
  return {
    '@type': 'Organization',
    '@id': companyId(siteUrl),
    url: `${siteUrl}/`,
    name: brand.name,
    description: seo.summary,
    logo: describeImage(siteUrl + iconPaths.large, { width: 512, height: 512 }),
    ...(!isExampleEmail(email) && { email }),
    ...(!isExamplePhone(phone) && { telephone: phone }),
    ...(!isExampleAddress([...address, addressNote ?? '']) && { address: address.join(', ') }),
    ...(brand.legalName && { legalName: brand.legalName }),
    ...(registration.vat && { vatID: registration.vat }),
    ...(real.length > 0 && { sameAs: real }),
  };
}

function referToCompany({ brand }: Content, siteUrl: string): JsonLdNode {
  return { '@type': 'Organization', '@id': companyId(siteUrl), url: `${siteUrl}/`, name: brand.name };
}
