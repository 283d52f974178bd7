import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import type { OwnDeps } from '../own-deps.ts';
import { readOverview } from './read-overview.ts';

export function addOverviewRoutes(app: DeskApp, { services, root, answer }: OwnDeps): void {
  app.get('/', async context => {
    const props = await readOverview({ services, root });
    return answer(context, { view: 'overview', title: 'Overview', props });
  });
}
