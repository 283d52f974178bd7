import { hostingNames } from './hosting.ts';
import type { Mistake } from './read-content.ts';
import type { Content } from './schemas/all-schemas.ts';
import { fieldName, type Located } from './source-positions.ts';

const pages = ['privacy.md', 'security.md', 'faq.yaml', 'contact.yaml'];

/** Filled in when the text is used, not when it is read. */
const leftForLater: Record<string, string[]> = {
  name: ['site.yaml', 'home.yaml', 'static.yaml'],
  number: ['home.yaml', 'faq.yaml', 'site.yaml', 'blog.yaml'],
  total: ['home.yaml', 'faq.yaml', 'blog.yaml'],
  topic: ['blog.yaml'],
  title: ['blog.yaml'],
  link: ['letters/newsletter-confirm.md'],
  when: ['site.yaml', 'newsletter.yaml'],
  ...Object.fromEntries(hostingNames.map(name => [name, pages])),
};

export function fillFacts(
  located: Located | undefined,
  company: Content['company'] | undefined,
  mistakes: Mistake[],
): Located | undefined {
  if (!located) return located;
  const { file } = located;
  const facts: Record<string, string | undefined> = {
    'company.name': company?.name,
    'company.phone': company?.phone,
    'company.email': company?.email,
    'company.securityContact': company?.securityContact ?? company?.email,
    'company.address': company?.address.join(', '),
    'company.supportHours': company?.supportHours,
    'company.governingLaw': company?.governingLaw ?? company?.governingLawUnfilled,
  };

  function fill(value: unknown, path: (string | number)[]): unknown {
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, fill(item, [...path, key])]),
      );
    }
    if (typeof value !== 'string') return value;
    return value.replaceAll(/\{([^{}]*)\}/g, (whole, name: string, offset: number) => {
      // While company.yaml has errors, its facts are known by name only.
      if (Object.hasOwn(facts, name)) return facts[name] ?? whole;
      const places = Object.hasOwn(leftForLater, name) ? leftForLater[name] : undefined;
      if (places?.some(place => file.startsWith(place))) return whole;
      const within = path[0] === 'body' ? value.slice(0, offset).split('\n').length - 1 : 0;
      const line = (located?.lineOf(path) ?? 1) + within;
      mistakes.push({ file, line, field: fieldName(path), reason: `names the unknown fact ${whole}` });
      return whole;
    });
  }

  return { ...located, value: fill(located.value, []) };
}
