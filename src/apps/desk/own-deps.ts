import type { DeskDeps } from '../../core/desk/desk-deps.ts';
import type { Services } from '../server/wire.ts';
import type { OwnPages } from './pages.ts';

/** What the areas that belong to no feature get. */
export type OwnDeps = DeskDeps<Services, OwnPages>;
