import { plainText } from '../../content/prose.ts';
import type { Content } from '../../content/schemas/all-schemas.ts';
import { type IndexedPageName, paths } from '../../site/paths.ts';
import type { IndexedPage } from './indexed-pages.ts';
import { describeBlog, describeView } from './json-ld-blog.ts';
import { companyId, describeCompany, type JsonLdNode, referToCompany } from './json-ld-company.ts';
import { openGraphSize } from './open-graph-tags.ts';

export type JsonLd = { '@context': 'https://schema.org'; '@graph': JsonLdNode[] };

export function writeJsonLd(content: Content, page: IndexedPage, siteUrl: string): JsonLd {
  const address = siteUrl + page.path;
  const trail = page.name === 'home' ? [] : [describeBreadcrumbs(content, page, siteUrl)];
  const website: JsonLdNode = {
    '@type': 'WebSite',
    '@id': `${siteUrl}/#website`,
    url: `${siteUrl}/`,
    name: content.company.name,
    ...(page.name === 'home' && { description: content.home.description, inLanguage: language }),
    publisher: { '@id': companyId(siteUrl) },
  };
  const shown: JsonLdNode = {
    '@type': page.view?.kind === 'post' ? 'WebPage' : (kinds[page.name] ?? 'WebPage'),
    '@id': `${address}#page`,
    url: address,
    name: page.title,
    description: page.description,
    inLanguage: language,
    isPartOf: { '@id': website['@id'] },
    ...(page.name === 'home' && { about: { '@id': companyId(siteUrl) } }),
    primaryImageOfPage: {
      '@type': 'ImageObject',
      url: siteUrl + page.imagePath,
      ...openGraphSize,
    },
    ...(page.updated && { dateModified: page.updated }),
    ...(trail[0] && { breadcrumb: { '@id': trail[0]['@id'] } }),
    ...(page.name === 'faq' && { mainEntity: listQuestions(content, address) }),
    ...(page.view && describeView(page.view, address, siteUrl)),
  };
  return {
    '@context': 'https://schema.org',
    '@graph': [
      page.name === 'home' ? describeCompany(content, siteUrl) : referToCompany(content, siteUrl),
      website,
      shown,
      ...trail,
      ...listServices(content, page.name, siteUrl),
      ...describeBlog(content, page, siteUrl),
    ],
  };
}

const language = 'en-GB';
const kinds: Partial<Record<IndexedPageName, string>> = {
  faq: 'FAQPage',
  contact: 'ContactPage',
  blog: 'CollectionPage',
};

function describeBreadcrumbs(
  { site, blog }: Content,
  { title, path, name }: IndexedPage,
  siteUrl: string,
): JsonLdNode {
  const isWithin = name === 'blog' && path !== paths.blog;
  const steps = [
    { name: site.header.home, item: `${siteUrl}/` },
    ...(isWithin ? [{ name: blog.title, item: siteUrl + paths.blog }] : []),
    { name: title, item: siteUrl + path },
  ];
  return {
    '@type': 'BreadcrumbList',
    '@id': `${siteUrl}${path}#trail`,
    itemListElement: steps.map((step, index) => ({ '@type': 'ListItem', position: index + 1, ...step })),
  };
}

function listServices({ services, home }: Content, page: IndexedPageName, siteUrl: string): JsonLdNode[] {
  const own = services.services.map(({ id, name, summary }) => ({ id, name, description: summary }));
  const ways = services.engagements.items.map(({ id, name, what }) => ({ id, name, description: what }));
  const solutions = services.solutions.items.map(({ id, name, text }) => ({
    id,
    name,
    description: plainText(text.slice(0, 1)),
  }));
  const named: Partial<Record<IndexedPageName, typeof own>> = {
    services: [...own, ...ways, ...solutions],
    home: own.filter(({ id }) => home.offer.cards.includes(id)),
  };
  return (named[page] ?? []).map(({ id, name, description }) => ({
    '@type': 'Service',
    '@id': `${siteUrl}${paths.services}#${id}`,
    name,
    description,
    provider: { '@id': companyId(siteUrl) },
  }));
}

function listQuestions({ faq }: Content, address: string): JsonLdNode[] {
  return faq.groups
    .flatMap(group => group.questions)
    .map(({ id, question, answer }) => ({
      '@type': 'Question',
      '@id': `${address}#${id}`,
      name: question,
      acceptedAnswer: {
        '@type': 'Answer',
        text: answer.map(part => plainText([part])).join('\n\n'),
      },
    }));
}
