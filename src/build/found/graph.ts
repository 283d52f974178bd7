import { plainText } from '../../content/prose.ts';
import type { Content } from '../../content/schemas.ts';
import { type FoundName, paths, picturePath } from '../../site/paths.ts';
import { companyId, describeCompany, type Node } from './graph-company.ts';
import type { FoundPage } from './pages.ts';
import { pictureSize } from './picture-size.ts';

export type Graph = { '@context': 'https://schema.org'; '@graph': Node[] };

/** What a page is about, in the words of schema.org. It says nothing that the content does not say. */
export function writeGraph(content: Content, page: FoundPage, siteUrl: string): Graph {
  const address = siteUrl + page.path;
  const trail = page.name === 'home' ? [] : [describeTrail(content, page, siteUrl)];
  const website: Node = {
    '@type': 'WebSite',
    '@id': `${siteUrl}/#website`,
    url: `${siteUrl}/`,
    name: content.company.name,
    description: content.home.description,
    inLanguage: language,
    publisher: { '@id': companyId(siteUrl) },
  };
  const shown: Node = {
    '@type': kinds[page.name] ?? 'WebPage',
    '@id': `${address}#page`,
    url: address,
    name: page.title,
    description: page.description,
    inLanguage: language,
    isPartOf: { '@id': website['@id'] },
    about: { '@id': companyId(siteUrl) },
    primaryImageOfPage: {
      '@type': 'ImageObject',
      url: siteUrl + picturePath(page.name),
      ...pictureSize,
    },
    ...(page.updated && { dateModified: page.updated }),
    ...(trail[0] && { breadcrumb: { '@id': trail[0]['@id'] } }),
    ...(page.name === 'faq' && { mainEntity: listQuestions(content, address) }),
  };
  return {
    '@context': 'https://schema.org',
    '@graph': [
      describeCompany(content, siteUrl),
      website,
      shown,
      ...trail,
      ...listServices(content, page.name, siteUrl),
    ],
  };
}

const language = 'en-GB';
const kinds: Partial<Record<FoundName, string>> = { faq: 'FAQPage', contact: 'ContactPage' };

function describeTrail({ site }: Content, { title, path }: FoundPage, siteUrl: string): Node {
  const step = (position: number, name: string, item: string) => ({
    '@type': 'ListItem',
    position,
    name,
    item,
  });
  return {
    '@type': 'BreadcrumbList',
    '@id': `${siteUrl}${path}#trail`,
    itemListElement: [step(1, site.header.home, `${siteUrl}/`), step(2, title, siteUrl + path)],
  };
}

/** Those that the page itself names: all on the Services page, those with a card on the home page. */
function listServices({ services, home }: Content, page: FoundName, siteUrl: string): Node[] {
  const own = services.services.map(({ id, name, summary }) => ({ id, name, description: summary }));
  const ways = services.engagements.items.map(({ id, name, what }) => ({ id, name, description: what }));
  const solutions = services.solutions.items.map(({ id, name, text }) => ({
    id,
    name,
    description: plainText(text.slice(0, 1)),
  }));
  const named: Partial<Record<FoundName, typeof own>> = {
    services: [...own, ...ways, ...solutions],
    home: own.filter(({ id }) => home.offer.cards.includes(id)),
  };
  return (named[page] ?? []).map(({ id, name, description }) => ({
    '@type': 'Service',
    '@id': `${siteUrl}${paths.services}#${id}`,
    url: `${siteUrl}${paths.services}#${id}`,
    name,
    description,
    provider: { '@id': companyId(siteUrl) },
  }));
}

function listQuestions({ faq }: Content, address: string): Node[] {
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
