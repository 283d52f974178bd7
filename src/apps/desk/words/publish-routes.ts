import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import { createPublisher } from '../../build/publish-in-child.ts';
import type { OwnDeps } from '../own-deps.ts';
import { buildPublishProps } from './publish-props.ts';

export function addPublishRoutes(app: DeskApp, { services, root, answer }: OwnDeps): void {
  const publisher = createPublisher(root, () => services.clock.now());

  app.get('/words/publish', async context => {
    const props = await buildPublishProps(services, root, publisher.getState());
    return answer(context, { view: 'words/publish', title: 'Publish', area: 'words', props });
  });

  app.post('/words/publish', context => {
    publisher.start();
    return context.redirect('/words/publish', 303);
  });
}
