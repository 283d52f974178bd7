import type { Feature } from '../../core/feature.ts';

export const site: Feature = { name: 'site' };
