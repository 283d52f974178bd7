import type { ContentError } from '../../core/content/content-error.ts';
import type { ParsedFiles } from '../../core/content/content-part.ts';
import { maxDescriptionLength } from '../../core/content/fields.ts';
import { addCompanyName, maxTitleLength } from '../../core/content/page-meta.ts';
import { valueAt } from '../../core/content/source-positions.ts';

/** The page of a topic has its title and description from the words of all such pages and the name of the topic. */
export function findTopicMetaErrors(files: ParsedFiles, companyName = ''): ContentError[] {
  const blog = files['blog.yaml'];
  const topics = valueAt(blog?.value, ['topics']);
  const [title, description] = ['topicTitle', 'topicDescription'].map(field =>
    valueAt(blog?.value, ['list', field]),
  );
  if (!blog || !Array.isArray(topics)) return [];
  return topics.flatMap((_, index) => {
    const path = ['topics', index, 'name'];
    const name = valueAt(blog.value, path);
    const fields = [
      { field: 'title', text: addCompanyName(String(title), companyName), max: maxTitleLength },
      { field: 'description', text: String(description), max: maxDescriptionLength },
    ];
    return fields.flatMap(({ field, text, max }) => {
      const { length } = text.replaceAll('{topic}', String(name));
      const reason = `makes the ${field} of its page ${length} characters, limit ${max}`;
      return length > max ? [{ file: blog.file, line: blog.lineAt(path), field: 'name', path, reason }] : [];
    });
  });
}
