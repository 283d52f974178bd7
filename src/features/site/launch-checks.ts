import { companyChecks } from './company-checks.ts';
import { exampleChecks } from './example-checks.ts';

export const contentChecks = [...companyChecks, ...exampleChecks];
