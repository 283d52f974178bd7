import type { Feature } from '../../core/feature.ts';

export const sampleReport: Feature = { name: 'sample-report' };
