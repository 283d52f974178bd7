import type { DeskApp, DeskDeps } from '../desk-deps.ts';

export function addOverviewRoutes(app: DeskApp, { answer }: DeskDeps): void {
  app.get('/', context => answer(context, { view: 'overview', title: 'Overview', props: {} }));
}
