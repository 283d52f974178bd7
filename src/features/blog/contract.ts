export const blogPath = '/blog';

export function postPath(slug: string): string {
  return `${blogPath}/${slug}`;
}

export function listPath(topic?: string, page = 1): string {
  const list = topic ? `${blogPath}/topics/${topic}` : blogPath;
  return page > 1 ? `${list}/page/${page}` : list;
}

export const feedPaths = { rss: `${blogPath}/rss.xml`, atom: `${blogPath}/atom.xml` } as const;
