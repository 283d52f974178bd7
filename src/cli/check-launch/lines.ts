import type { Check } from './check.ts';
import { companyLines } from './lines/company.ts';
import { dataLines } from './lines/data.ts';
import { mailNameLines, siteNameLines } from './lines/names.ts';
import { postLines } from './lines/posts.ts';
import { securityTxtLines } from './lines/security-txt.ts';
import { settingLines } from './lines/settings.ts';

/** Everything that is looked at, in the order in which an owner would do it. */
export const lines: Check[] = [
  ...companyLines,
  ...settingLines,
  ...securityTxtLines,
  ...postLines,
  ...dataLines,
  ...siteNameLines,
  ...mailNameLines,
];
