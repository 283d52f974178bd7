import { mostOfDescription } from './fields.ts';
import { type Located, type Path, valueAt } from './located.ts';
import type { Mistake } from './read.ts';

/** What search engines show of a title before they cut it off. */
const mostOfTitle = 65;

/** The pages that are to be found, and where the heads of those stand that only a form or a mistake leads to. */
const foundFiles = [
  'home.yaml',
  'services.yaml',
  'contact.yaml',
  'faq.yaml',
  'blog.yaml',
  'privacy.md',
  'terms.md',
  'security.md',
];
const otherHeads: [file: string, ...Path][] = [
  ['site.yaml', 'notFound'],
  ...['asked', 'refused', 'confirm', 'confirmed', 'expired', 'leave', 'left', 'not-left', 'later'].map(
    step => ['newsletter.yaml', 'steps', step] as [string, ...Path],
  ),
];

/** Titles and descriptions that two pages share, and titles that are cut off once the company's name stands beside them. */
export function findMistakesInHeads(
  read: Record<string, Located | undefined>,
  companyName: string | undefined,
): Mistake[] {
  const mistakes: Mistake[] = [];
  const seen: Record<string, Map<string, string>> = { title: new Map(), description: new Map() };
  for (const [file, ...path] of [...foundFiles.map(file => [file] as [string, ...Path]), ...otherHeads]) {
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
    const length = `${head?.title} — ${companyName}`.length;
    if (companyName && typeof head?.title === 'string' && path.length === 0 && length > mostOfTitle)
      at('title', `is ${length} characters together with ' — ${companyName}', limit ${mostOfTitle}`);
  }
  mistakes.push(...findMistakesInTopics(read['blog.yaml'], companyName));
  return mistakes;
}

/** The pages of topics have their names in heads that they share. */
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
