import type { Feature } from '../../core/feature.ts';

export const audit: Feature = { name: 'audit' };
