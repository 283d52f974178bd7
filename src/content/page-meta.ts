import { mostOfDescription } from './fields.ts';
import type { Mistake } from './read-content.ts';
import { type Located, type Path, valueAt } from './source-positions.ts';

/** Search engines cut titles off there. */
const mostOfTitle = 65;

const indexedPages = ['home', 'services', 'contact', 'faq', 'blog'].map(name => `${name}.yaml`);
const policies = ['privacy', 'terms', 'security'].map(name => `${name}.md`);
const steps = ['asked', 'refused', 'confirm', 'confirmed', 'expired', 'leave', 'left', 'not-left', 'later'];

const heads: [file: string, ...Path][] = [
  ...[...indexedPages, ...policies].map((file): [string] => [file]),
  ['site.yaml', 'notFound'],
  ...steps.map((step): [string, ...Path] => ['newsletter.yaml', 'steps', step]),
];

/** Why a title is cut off once the company's name stands beside it. */
export function findLongTitle(title: unknown, companyName: string | undefined): string | undefined {
  const { length } = `${title} — ${companyName}`;
  return companyName && typeof title === 'string' && length > mostOfTitle
    ? `is ${length} characters together with ' — ${companyName}', limit ${mostOfTitle}`
    : undefined;
}

export function findMistakesInHeads(
  read: Record<string, Located | undefined>,
  companyName: string | undefined,
): Mistake[] {
  const mistakes: Mistake[] = [];
  const seen: Record<string, Map<string, string>> = { title: new Map(), description: new Map() };
  for (const [file, ...path] of heads) {
    const located = read[file];
    if (!located) continue;
    const at = (field: string, reason: string) =>
      mistakes.push({ file, line: located.lineOf([...path, field]), field, reason });
    const head = valueAt(located.value, path) as Record<string, unknown> | undefined;
    for (const [field, others] of Object.entries(seen)) {
      const words = head?.[field];
      if (typeof words !== 'string') continue;
      const other = others.get(words);
      if (other) at(field, `is the same as that of ${other}; search engines could not tell the pages apart`);
      else others.set(words, file);
    }
    const long = path.length === 0 ? findLongTitle(head?.title, companyName) : undefined;
    if (long) at('title', long);
  }
  mistakes.push(...findMistakesInTopics(read['blog.yaml'], companyName));
  return mistakes;
}

/** The pages of topics share a title and a description with a placeholder for the name. */
function findMistakesInTopics(blog: Located | undefined, companyName = ''): Mistake[] {
  const names = valueAt(blog?.value, ['topics']);
  const [title, description] = ['topicTitle', 'topicDescription'].map(field =>
    valueAt(blog?.value, ['list', field]),
  );
  if (!blog || !Array.isArray(names)) return [];
  return names.flatMap((_, index) => {
    const path = ['topics', index, 'name'];
    const name = valueAt(blog.value, path);
    const heads = [
      { what: 'title', words: `${title} — ${companyName}`, most: mostOfTitle },
      { what: 'description', words: String(description), most: mostOfDescription },
    ];
    return heads.flatMap(({ what, words, most }) => {
      const { length } = words.replaceAll('{topic}', String(name));
      const reason = `makes the ${what} of its page ${length} characters, limit ${most}`;
      return length > most ? [{ file: blog.file, line: blog.lineOf(path), field: 'name', reason }] : [];
    });
  });
}
