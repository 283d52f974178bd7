import type * as v from 'valibot';
import type { Brand } from '../../core/content/schemas/brand.ts';
import type { Company } from '../../core/content/schemas/company.ts';
import type { home } from './schemas/home.ts';

type Content = {
  brand: Brand;
  company: Company;
  home: v.InferOutput<typeof home>;
  contact: { about: { text: unknown }; work: { text: unknown } };
};
export type ContentContext = { siteContent: { content?: Content | undefined } };

export function requireContent({ siteContent: { content } }: ContentContext): Content {
  if (!content) throw new Error('content/ has validation errors');
  return content;
}
