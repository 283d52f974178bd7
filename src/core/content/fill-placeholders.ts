import { auditPlaceholders } from '../../features/audit/schemas/audit.ts';
import type { ContentError } from './content-error.ts';
import { hostingPlaceholders } from './hosting.ts';
import type { Content } from './schemas/all-schemas.ts';
import { fieldName, type ParsedFile } from './source-positions.ts';

const filesWithHosting = ['privacy.md', 'security.md', 'faq.yaml', 'contact.yaml'];

/** Filled in when the text is used, not when it is read; each with the files that may use it. */
const runtimePlaceholders: Record<string, string[]> = {
  name: ['site.yaml', 'home.yaml', 'static.yaml'],
  number: ['home.yaml', 'faq.yaml', 'site.yaml', 'blog.yaml', 'sample.yaml'],
  total: ['home.yaml', 'faq.yaml', 'blog.yaml', 'sample.yaml'],
  size: ['sample.yaml'],
  topic: ['blog.yaml'],
  title: ['blog.yaml'],
  link: ['emails/confirmation.md'],
  reference: ['emails/acknowledgement.md'],
  when: ['site.yaml', 'newsletter.yaml'],
  ...Object.fromEntries(hostingPlaceholders.map(name => [name, filesWithHosting])),
};

/** Undefined while their file has errors. */
export type PlaceholderValues = {
  brand: Content['brand'] | undefined;
  company: Content['company'] | undefined;
};

export function listPlaceholders({ brand, company }: PlaceholderValues): Record<string, string | undefined> {
  return {
    'company.name': brand?.name,
    'company.phone': company?.phone,
    'company.email': company?.email,
    'company.securityContact': company?.securityContact ?? company?.email,
    'company.address': company?.address.join(', '),
    'company.supportHours': company?.supportHours,
    'company.governingLaw': company?.governingLaw ?? company?.governingLawFallback,
  };
}

export function fillPlaceholders(
  parsed: ParsedFile | undefined,
  values: PlaceholderValues,
  errors: ContentError[],
): ParsedFile | undefined {
  if (!parsed) return parsed;
  const { file } = parsed;
  const placeholders = listPlaceholders(values);

  function fill(value: unknown, path: (string | number)[]): unknown {
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, fill(item, [...path, key])]),
      );
    }
    if (typeof value !== 'string') return value;
    return value.replaceAll(/\{([^{}]*)\}/g, (whole, name: string, offset: number) => {
      // While their file has errors, placeholders are known but have no value.
      if (Object.hasOwn(placeholders, name)) return placeholders[name] ?? whole;
      if (file === 'audit.yaml' && auditPlaceholders.includes(name)) return whole;
      const allowedIn = Object.hasOwn(runtimePlaceholders, name) ? runtimePlaceholders[name] : undefined;
      if (allowedIn?.some(start => file.startsWith(start))) return whole;
      const lineInBody = path[0] === 'body' ? value.slice(0, offset).split('\n').length - 1 : 0;
      const line = (parsed?.lineAt(path) ?? 1) + lineInBody;
      const reason = `uses the unknown placeholder ${whole}`;
      errors.push({ file, line, field: fieldName(path), path, reason });
      return whole;
    });
  }

  return { ...parsed, value: fill(parsed.value, []) };
}
