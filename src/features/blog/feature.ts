import type { Feature } from '../../core/feature.ts';

export const blog: Feature = { name: 'blog' };
