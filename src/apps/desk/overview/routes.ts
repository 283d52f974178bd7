import type { DeskArea } from '../../../core/desk/desk-area.ts';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import type { Services } from '../../server/wire.ts';
import type { OwnDeps } from '../own-deps.ts';
import { readOverview } from './read-overview.ts';

export function addOverviewRoutes(app: DeskApp, deps: OwnDeps, areas: readonly DeskArea<Services>[]): void {
  app.get('/', async context => {
    const props = await readOverview(deps, areas);
    return deps.answer(context, { view: 'overview', title: 'Overview', props });
  });
}
