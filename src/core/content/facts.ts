import type { ContentPart } from './content-part.ts';
import { brand } from './schemas/brand.ts';
import { company } from './schemas/company.ts';

/** What is true of the company, on every page and in every mail. */
export const facts = {
  name: 'facts',
  files: {
    company: {
      path: 'company.yaml',
      schema: company,
      movedToBrand: ['name', 'logoText', 'copyrightYear', 'social', 'registration.name'],
      title: 'Contact details and facts',
      group: 'company',
      preview: '/',
    },
    brand: {
      path: 'brand/brand.yaml',
      schema: brand,
      title: 'Brand, menu and footer',
      group: 'company',
      preview: '/',
    },
  },
} as const satisfies ContentPart;
