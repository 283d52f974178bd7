export type { Services } from '../../../apps/server/wire.ts';
