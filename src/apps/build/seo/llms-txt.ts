import { isExampleEmail, isExamplePhone } from '../../../core/content/example-data.ts';
import type { Content } from '../../../features.content.ts';
import { paths } from '../../../ui/paths.ts';
import type { IndexedPage } from './indexed-pages.ts';

type Line = { name: string; url: string; about?: string };

export function formatLlmsTxt(content: Content, pages: IndexedPage[], siteUrl = ''): string {
  const { brand, seo, services, faq } = content;
  const { headings } = seo;
  const onServices = (id: string) => `${siteUrl}${paths.services}#${id}`;
  const formatLine = ({ title, path, description }: IndexedPage): Line => ({
    name: title,
    url: siteUrl + path,
    about: description,
  });
  const posts = pages.filter(({ view }) => view?.file);
  const questions = faq.groups.flatMap(group => group.questions);
  return [
    `# ${brand.name}\n`,
    `> ${oneLine(seo.summary)}\n`,
    listTrueNotes(content)
      .map(note => `- ${oneLine(note)}\n`)
      .join(''),
    section(headings.pages, pages.filter(page => !page.isPolicy && isFixedPage(page)).map(formatLine)),
    section(
      headings.services,
      services.services.map(({ id, name, summary }) => ({ name, url: onServices(id), about: summary })),
    ),
    section(
      headings.engagements,
      services.engagements.items.map(({ id, name, what }) => ({
        name,
        url: onServices(id),
        about: what,
      })),
    ),
    section(
      headings.solutions,
      services.solutions.items.map(({ id, name }) => ({ name, url: onServices(id) })),
    ),
    section(
      headings.questions,
      questions.map(({ id, question }) => ({ name: question, url: `${siteUrl}${paths.faq}#${id}` })),
    ),
    ...(posts.length > 0 ? [section(headings.posts, posts.slice(0, maxPosts).map(formatLine))] : []),
    section('Optional', pages.filter(page => page.isPolicy).map(formatLine)),
  ].join('\n');
}

/** Without those that name an example address or number: assistants would repeat them as true. */
function listTrueNotes({ company: { email, phone }, seo }: Content): string[] {
  const examples = [...(isExampleEmail(email) ? [email] : []), ...(isExamplePhone(phone) ? [phone] : [])];
  return seo.notes.filter(note => !examples.some(example => note.includes(example)));
}

const maxPosts = 50;

/** Not below another. */
function isFixedPage({ view }: IndexedPage): boolean {
  return !view?.describe('').within;
}

function section(heading: string, lines: Line[]): string {
  return `## ${heading}\n\n${lines.map(formatLine).join('')}`;
}

function formatLine({ name, url, about }: Line): string {
  return `- [${name}](${url})${about ? `: ${oneLine(about)}` : ''}\n`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
