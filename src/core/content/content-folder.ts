import { resolve } from 'node:path';

export const contentFolder = resolve(import.meta.dirname, '../../../content');
