/** Where the pages of the preview are. */
export const previewBase = '/words/preview/site';

const pathByFile: Record<string, string> = {
  'services.yaml': '/creator',
  'contact.yaml': '/contact',
  'static.yaml': '/contact',
  'faq.yaml': '/faq',
  'sample.yaml': '/sample-report',
  'blog.yaml': '/blog',
  'privacy.md': '/privacy',
  'terms.md': '/terms-and-condition',
  'security.md': '/security',
  'audit.yaml': '/audit',
  'audit-about.md': '/audit/about',
  'newsletter.yaml': '/newsletter/asked',
};

/** The page where most of a file is seen; undefined for the texts of mails. */
export function findPreviewPath(file: string): string | undefined {
  if (file.startsWith('emails/')) return undefined;
  const [, slug] = /^blog\/[\d-]*(.*)\.md$/.exec(file) ?? [];
  return slug ? `/blog/${slug}` : (pathByFile[file] ?? '/');
}
