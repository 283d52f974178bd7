import type { Context } from 'hono';
import type { DeskApp, DeskDeps } from '../../../core/desk/desk-deps.ts';
import { createHeldValues } from '../../../core/desk/held-values.ts';
import { getImportsPerHour, importList } from '../actions/subscribers.ts';
import { type AddressList, importSubscribers, readAddressList } from '../import-subscribers.ts';
import type { NewsletterDeskNeeds } from './needs.ts';
import type { ImportProps, NewsletterPages } from './props.ts';

const area = 'newsletter';

export function addImportRoutes(
  app: DeskApp,
  { services, answer }: DeskDeps<NewsletterDeskNeeds, NewsletterPages>,
): void {
  const { domainDeps, config } = services;
  const lists = createHeldValues<AddressList>(5);
  const perHour = getImportsPerHour(config.newsletter);

  const show = (context: Context, changed: Partial<ImportProps> = {}, status?: 422) => {
    const props = { id: '', counts: null, invalidLines: [], perHour, ...changed };
    return answer(context, { view: 'newsletter/import', title: 'Import subscribers', area, props }, status);
  };

  app.get('/newsletter/import', context => show(context));

  app.post('/newsletter/import', async context => {
    const { file } = await context.req.parseBody();
    if (!(file instanceof File) || file.size === 0)
      return show(
        context,
        { error: 'Choose a file with one email address a line, or with a column email.' },
        422,
      );
    try {
      const list = readAddressList(new Uint8Array(await file.arrayBuffer()));
      return context.redirect(`/newsletter/import/${lists.add(list)}`, 303);
    } catch (error) {
      return show(context, { error: `The file cannot be read: ${(error as Error).message}.` }, 422);
    }
  });

  app.get('/newsletter/import/:id', async context => {
    const list = lists.get(context.req.param('id'));
    if (!list) return context.redirect('/newsletter/import', 303);
    const counts = await importSubscribers(domainDeps, list.addresses, { isDryRun: true });
    const { invalidLines, optedOut } = list;
    return show(context, { id: context.req.param('id'), counts: { ...counts, optedOut }, invalidLines });
  });

  app.post('/newsletter/import/:id', async context => {
    const list = lists.get(context.req.param('id'));
    if (!list) return context.redirect('/newsletter/import', 303);
    await importList.run(services, { list, dryRun: false });
    return context.redirect('/newsletter/subscribers?done=imported', 303);
  });
}
