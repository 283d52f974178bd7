import type { Located, Path } from './located.ts';
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
  return mistakes;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );
}
