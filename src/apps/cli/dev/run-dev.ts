import { createDevServer, type DevServer } from '../../build/dev-server.ts';
import { apiListener, isForApi, listen } from '../../server/serve.ts';
import type { ServiceOverrides } from '../../server/wire.ts';
import { exitOnListenError, formatUrl, readConfigOrExit, wireOrExit } from '../exit-on-error.ts';
import { printLines, printUncaughtErrors } from '../terminal.ts';

/** The fakes of `npm run dev` hand in what cannot be set by a setting. */
export async function runDev(overrides: Partial<ServiceOverrides> = {}): Promise<void> {
  printUncaughtErrors();
  const config = readConfigOrExit();
  const services = await wireOrExit(config, overrides);
  let dev: DevServer | undefined;

  const running = await listen(services, async server => {
    const vite = await createDevServer(config, server, printLines);
    dev = vite;
    return async (request, response) => {
      if (!isForApi(request.url ?? '/', request.method)) return vite.answer(request, response);
      return apiListener(await vite.createApp(services.appDeps, services.started), services)(
        request,
        response,
      );
    };
  }).catch(error => exitOnListenError(error, config));

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      await dev?.close();
      await running.stop();
      process.exit(0);
    });
  }
  await services.worker.start();
  printLines([
    `Data is kept in ${services.database.location}`,
    `The site, with live reload, is at ${formatUrl(config.host, running.port)}`,
  ]);
}
