import type { DeskApp, DeskDeps } from '../desk-deps.ts';
import { readOverview } from './read-overview.ts';

export function addOverviewRoutes(app: DeskApp, { services, root, answer }: DeskDeps): void {
  app.get('/', async context => {
    const props = await readOverview({ services, root });
    return answer(context, { view: 'overview', title: 'Overview', props });
  });
}
