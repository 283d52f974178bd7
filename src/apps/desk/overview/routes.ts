import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import type { Areas } from '../areas.ts';
import type { OwnDeps } from '../own-deps.ts';
import { readOverview } from './read-overview.ts';

export function addOverviewRoutes(app: DeskApp, deps: OwnDeps, areas: Areas): void {
  app.get('/', async context => {
    const props = await readOverview(deps, areas);
    return deps.answer(context, { view: 'overview', title: 'Overview', props });
  });
}
