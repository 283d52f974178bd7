import { createDevServer, type DevServer } from '../build/dev-server.ts';
import { appListener, isForApp, listen } from '../server/serve.ts';
import { wire } from '../server/wire.ts';
import { complain, configOrExit, explainListening, explainStore, shownAddress } from './print-error.ts';
import { printFaults, printLines } from './terminal.ts';

printFaults();
const config = configOrExit();
const wired = await wire(config).catch(error => complain(explainStore(error, config)));
let dev: DevServer | undefined;

const running = await listen(wired, async server => {
  const vite = await createDevServer(config, server);
  dev = vite;
  return async (request, response) => {
    if (!isForApp(request.url ?? '/', request.method)) return vite.answer(request, response);
    return appListener(await vite.createApp(wired.appDeps), wired)(request, response);
  };
}).catch(error => complain(explainListening(error, config)));

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, async () => {
    await dev?.close();
    await running.stop();
    process.exit(0);
  });
}
await wired.worker.start();
printLines([
  `Data is kept in ${wired.store.place}`,
  `The site, with changes as you make them, is at ${shownAddress(config.host, running.port)}`,
]);
