import type { Feature } from '../../core/feature.ts';

export const blog: Feature = {
  name: 'blog',
  issueSource: async () => (await import('./issue-source.ts')).postSource,
  desk: async () => (await import('./desk/area.ts')).postArea,
  checks: async () => {
    const { exampleChecks, postChecks } = await import('./launch-checks.ts');
    return [...exampleChecks, ...postChecks];
  },
};
