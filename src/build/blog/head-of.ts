import type { BlogHead, BlogView } from '../../content/blog/types.ts';
import type { Content } from '../../content/schemas.ts';

type Headless<View> = View extends BlogView ? Omit<View, 'head'> : never;

/** What is said of a page of the blog where it is not itself shown. */
export function headOf(view: Headless<BlogView>, words: Content['blog']): BlogHead {
  if (view.kind === 'post') {
    const { title, summary } = view.post;
    return { title, description: summary, picture: title };
  }
  const { topic, page, pages } = view;
  const { topicTitle, topicDescription, pageTitle } = words.list;
  const place = fill(words.list.place, { number: String(page), total: String(pages) });
  const first = topic
    ? {
        title: fill(topicTitle, { topic: topic.name }),
        description: fill(topicDescription, { topic: topic.name }),
      }
    : words;
  return {
    title: page > 1 ? fill(pageTitle, { title: first.title, number: String(page) }) : first.title,
    description: page > 1 ? `${place}. ${first.description}` : first.description,
    picture: words.picture,
  };
}

function fill(words: string, blanks: Record<string, string>): string {
  return words.replaceAll(/\{(\w+)\}/g, (whole, name: string) => blanks[name] ?? whole);
}
