import type { Feature } from '../../core/feature.ts';

export const newsletter: Feature = { name: 'newsletter' };
