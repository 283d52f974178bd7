import type { ContentError } from './content-error.ts';
import type { ReadFacts } from './content-part.ts';
import { fieldName, type ParsedFile } from './source-positions.ts';

export function listPlaceholders({ brand, company }: ReadFacts): Record<string, string | undefined> {
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

/** `later`: those that are filled in where the text is used. */
export function fillPlaceholders(
  parsed: ParsedFile | undefined,
  values: ReadFacts,
  errors: ContentError[],
  later: readonly string[] = [],
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
      if (later.includes(name)) return whole;
      const lineInBody = path[0] === 'body' ? value.slice(0, offset).split('\n').length - 1 : 0;
      const line = (parsed?.lineAt(path) ?? 1) + lineInBody;
      const reason = `uses the unknown placeholder ${whole}`;
      errors.push({ file, line, field: fieldName(path), path, reason });
      return whole;
    });
  }

  return { ...parsed, value: fill(parsed.value, []) };
}
