import type { Feature } from '../../core/feature.ts';

export const blog: Feature = {
  name: 'blog',
  desk: async () => (await import('./desk/area.ts')).postArea,
};
