/** The files of content/ in the order and with the names of an owner. */
export const fileGroups: { title: string; files: Record<string, string> }[] = [
  {
    title: 'Your company',
    files: {
      'company.yaml': 'Contact details and facts',
      'brand/brand.yaml': 'Brand, menu and footer',
    },
  },
  {
    title: 'Pages',
    files: {
      'home.yaml': 'Home page',
      'services.yaml': 'Services page',
      'contact.yaml': 'Contact page',
      'faq.yaml': 'Help & FAQ',
      'audit.yaml': 'Free audit',
      'audit-about.md': 'About our audit',
      'sample.yaml': 'Sample report',
      'blog.yaml': 'Around the blog',
    },
  },
  {
    title: 'Policies',
    files: {
      'privacy.md': 'Privacy policy',
      'terms.md': 'Terms',
      'security.md': 'Security policy',
    },
  },
  {
    title: 'Newsletter and emails',
    files: {
      'newsletter.yaml': 'Newsletter form and pages',
      'emails/confirmation.md': 'Email: confirm a subscription',
      'emails/acknowledgement.md': 'Email: we have your message',
      'emails/newsletter-issue.yaml': 'Around every newsletter issue',
    },
  },
  {
    title: 'On every page',
    files: {
      'site.yaml': 'Header, footer and notices',
      'seo.yaml': 'Summary for search engines and assistants',
      'static.yaml': 'Words for a site without a server',
    },
  },
];

const titles: Record<string, string> = Object.assign({}, ...fileGroups.map(({ files }) => files));

export function getFileTitle(file: string): string {
  return titles[file] ?? file;
}
