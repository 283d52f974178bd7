import type { ContentError } from './content-error.ts';
import { maxDescriptionLength } from './fields.ts';
import { type ParsedFile, type Path, valueAt } from './source-positions.ts';

const maxTitleLength = 65;

const indexedPages = ['home', 'services', 'contact', 'faq', 'sample', 'blog', 'audit'].map(
  name => `${name}.yaml`,
);
const policies = ['privacy', 'terms', 'security', 'audit-about'].map(name => `${name}.md`);
const newsletterPages = [
  ...['requested', 'invalid', 'confirm', 'confirmed', 'expired'],
  ...['unsubscribe', 'unsubscribed', 'unsubscribeFailed', 'unavailable'],
];

const metaPaths: [file: string, ...Path][] = [
  ...[...indexedPages, ...policies].map((file): [string] => [file]),
  ['site.yaml', 'notFound'],
  ...newsletterPages.map((name): [string, ...Path] => ['newsletter.yaml', 'pages', name]),
];

/** Of a title as it is written: its page adds the company's name. */
export function getTitleLimit(companyName: string | undefined): number {
  return companyName ? Math.max(1, maxTitleLength - addName('', companyName).length) : maxTitleLength;
}

/** Whether the title of a file is that of a page. */
export function hasPageTitle(file: string): boolean {
  return metaPaths.some(([name, ...path]) => name === file && path.length === 0);
}

function addName(title: string, companyName: string): string {
  return `${title} – ${companyName}`;
}

function describeLongTitle(title: unknown, companyName: string | undefined): string | undefined {
  const limit = getTitleLimit(companyName);
  return companyName && typeof title === 'string' && title.length > limit
    ? `is ${title.length} characters, limit ${limit}, because '${addName('', companyName)}' is added to it`
    : undefined;
}

export function findPageMetaErrors(
  files: Record<string, ParsedFile | undefined>,
  companyName: string | undefined,
): ContentError[] {
  const errors: ContentError[] = [];
  const seen: Record<string, Map<string, string>> = { title: new Map(), description: new Map() };
  for (const [file, ...path] of metaPaths) {
    const parsed = files[file];
    if (!parsed) continue;
    const addError = (field: string, reason: string) =>
      errors.push({ file, line: parsed.lineAt([...path, field]), field, path: [...path, field], reason });
    const meta = valueAt(parsed.value, path) as Record<string, unknown> | undefined;
    for (const [field, others] of Object.entries(seen)) {
      const text = meta?.[field];
      if (typeof text !== 'string') continue;
      const other = others.get(text);
      if (other) addError(field, `is the same as in ${other}; each page needs its own`);
      else others.set(text, file);
    }
    const reason = path.length === 0 ? describeLongTitle(meta?.title, companyName) : undefined;
    if (reason) addError('title', reason);
  }
  errors.push(...findTopicMetaErrors(files['blog.yaml'], companyName));
  return errors;
}

function findTopicMetaErrors(blog: ParsedFile | undefined, companyName = ''): ContentError[] {
  const topics = valueAt(blog?.value, ['topics']);
  const [title, description] = ['topicTitle', 'topicDescription'].map(field =>
    valueAt(blog?.value, ['list', field]),
  );
  if (!blog || !Array.isArray(topics)) return [];
  return topics.flatMap((_, index) => {
    const path = ['topics', index, 'name'];
    const name = valueAt(blog.value, path);
    const fields = [
      { field: 'title', text: addName(String(title), companyName), max: maxTitleLength },
      { field: 'description', text: String(description), max: maxDescriptionLength },
    ];
    return fields.flatMap(({ field, text, max }) => {
      const { length } = text.replaceAll('{topic}', String(name));
      const reason = `makes the ${field} of its page ${length} characters, limit ${max}`;
      return length > max ? [{ file: blog.file, line: blog.lineAt(path), field: 'name', path, reason }] : [];
    });
  });
}
