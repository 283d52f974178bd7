import type { Feature } from '../../core/feature.ts';

export const messages: Feature = { name: 'messages' };
