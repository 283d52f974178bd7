import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import type { DeskApp } from '../../../core/desk/desk-deps.ts';
import type { Notice } from '../../../core/desk/page.ts';
import { retry, testMessage } from '../../../features/messages/actions/deliveries.ts';
import type { SentTest } from '../../../features/messages/receivers/send-test-message.ts';
import { formatMoment } from '../../../lib/format-time.ts';
import { findBackup, writeDatedBackup } from '../../server/backup-folder.ts';
import { explainSetting } from '../../server/config.ts';
import { sortReports } from '../../server/launch/run-checks.ts';
import type { OwnDeps } from '../own-deps.ts';
import { countOpen, describeLine, readLaunchChecks, runOnlineChecks } from './launch-checks.ts';
import { listReceiverNames, readHealth } from './read-health.ts';

export function addHealthRoutes(app: DeskApp, { services, root, answer }: OwnDeps): void {
  const { clock, config } = services;
  let test: SentTest | undefined;

  app.get('/health', async context =>
    answer(context, {
      view: 'health',
      title: 'Health',
      area: 'health',
      props: await readHealth({ services, root }, test),
      ...findHealthNotice(context),
    }),
  );

  app.post('/health/test', async context => {
    const { receivers: tested, ...sent } = await testMessage.run(services, { from: 'the desk' });
    test = { ...sent, tested };
    const isTaken = tested.every(({ result }) => result !== 'failed');
    return context.redirect(`/health?done=${isTaken ? 'tested' : 'test-failed'}#receivers`, 303);
  });

  app.post('/health/retry', async context => {
    const { receiver } = await context.req.parseBody();
    if (!listReceiverNames(services).some(name => name === receiver)) return context.notFound();
    const input = { failed: true, waiting: true, to: String(receiver) };
    const { retried, resumed } = await retry.run(services, input);
    const done = retried > 0 ? 'retried' : resumed.length > 0 ? 'resumed' : 'nothing-to-retry';
    return context.redirect(`/health?done=${done}#receivers`, 303);
  });

  /** A second press while one is made waits for it. */
  let backup: Promise<unknown> | undefined;

  app.post('/health/backups', async context => {
    backup ??= writeDatedBackup(services).finally(() => {
      backup = undefined;
    });
    await backup;
    return context.redirect('/health?done=backed-up#backups', 303);
  });

  app.get('/health/backups/:name', async context => {
    const backup = await findBackup(config, context.req.param('name'));
    if (!backup) return context.notFound();
    context.header('Content-Disposition', `attachment; filename="${backup.name}"`);
    const stream = Readable.toWeb(createReadStream(backup.path)) as ReadableStream;
    return context.body(stream, 200, { 'content-type': 'application/vnd.sqlite3' });
  });

  app.get('/health/launch', async context => {
    const { reports, onlineAt } = await readLaunchChecks({ services, root });
    const lines = sortReports(reports).map(describeLine);
    const asked = onlineAt ? formatMoment(onlineAt, clock.now()) : null;
    const page = { view: 'health/launch', title: 'Launch checklist', area: 'health' } as const;
    return answer(context, { ...page, props: { lines, open: countOpen(reports), online: asked } });
  });

  app.post('/health/launch', async context => {
    await runOnlineChecks({ services, root });
    return context.redirect('/health/launch', 303);
  });

  app.get('/health/settings/:name', context => {
    const name = context.req.param('name');
    const setting = explainSetting(name);
    if (!setting) return context.notFound();
    const page = { view: 'health/setting', title: `The setting ${name}`, area: 'health' } as const;
    return answer(context, { ...page, props: { name, ...setting } });
  });
}

function findHealthNotice(context: Context): { notice?: Notice } {
  const notice = notices[context.req.query('done') ?? ''];
  return notice ? { notice } : {};
}

const notices: Record<string, Notice> = {
  tested: { kind: 'done', text: 'Every receiver took the test message.' },
  'test-failed': { kind: 'failed', text: 'Not every receiver took the test message. The reason is below.' },
  retried: { kind: 'done', text: 'They are due now. The running site sends them within a minute.' },
  resumed: { kind: 'done', text: 'No longer paused. The running site sends what waits within a minute.' },
  'nothing-to-retry': { kind: 'done', text: 'Nothing was waiting.' },
  'backed-up': { kind: 'done', text: 'The backup is complete. Download it and keep it on another machine.' },
};
