import { createDevServer } from '../build/dev-server.ts';
import { configOrExit } from '../server/config.ts';
import { appListener, isForApp, listen } from '../server/serve.ts';
import { wire } from '../server/wire.ts';
import { complain, explain, shownAddress } from './complain.ts';

const config = configOrExit();
const wired = await wire(config).catch(error => complain(explain(error, config)));
const dev = await createDevServer(config.siteUrl);

const running = await listen(wired, async (request, response) => {
  if (!isForApp(request.url ?? '/')) return dev.answer(request, response);
  const { store, clock, ids, log, readiness } = wired;
  const deps = {
    messages: store.messages,
    clock,
    ids,
    log,
    siteUrl: config.siteUrl,
    isReady: readiness.isReady,
  };
  return appListener(await dev.createApp(deps))(request, response);
}).catch(error => complain(explain(error, config)));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await dev.close();
    await running.stop();
    process.exit(0);
  });
}
process.stdout.write(`Data is kept in ${wired.store.place}\n`);
process.stdout.write(
  `The site, with changes as you make them, is at ${shownAddress(config.host, running.port)}\n`,
);
