import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import { findMissingDatabase } from '../../core/database/sqlite.ts';
import type { DeskApp } from '../../core/desk/desk-deps.ts';
import { findPublishedContent } from '../../core/http/current-build.ts';
import { withProductionEnv } from '../../core/settings/environment.ts';
import { buildDesk } from '../build/build-desk.ts';
import { readLaunchFacts } from '../build/read-launch-facts.ts';
import { readContent } from '../content.ts';
import { createAccess } from '../desk/access.ts';
import { createDesk, signInPath } from '../desk/app.ts';
import { type RunningDesk, serveDesk } from '../desk/serve-desk.ts';
import { openEditor } from '../desk/words/open-editor.ts';
import { createCommand, createCommandLog, runCommand } from './command.ts';
import { readDatabaseConfigOrExit, root, wireOrExit } from './exit-on-error.ts';
import { exitWithError, printNote } from './print.ts';
import { isInteractive, onEnter, printLines } from './terminal.ts';

const about = `Opens the desk in your browser: messages, newsletter, words and pictures, figures and health of the site. \
It answers on this machine only. Stop it with Ctrl+C.`;

const defaultPort = 4600;

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

await runCommand(
  createCommand('desk', about, [''])
    .option('--port <number>', 'port on this machine (default: 4600, or a free one)', parsePort)
    .option('--no-open', 'print the link without opening a browser')
    // All of React in this process must be of one kind; the preview renders several times faster in production.
    .action(options => withProductionEnv(() => openDesk(options))),
);

async function openDesk({ port, open }: { port?: number | undefined; open: boolean }): Promise<void> {
  const config = readDatabaseConfigOrExit();
  const missing = findMissingDatabase(config);
  await using services = await wireOrExit(config, {
    log: createCommandLog(config),
    findContent: () => findPublishedContent(root),
  });
  if (missing) printNote(`A new database was created at ${missing}.`);
  const bundle = await buildDesk({ onBuild: () => printNote('Preparing the desk…') });
  const interrupted = await openEditor({ root, services }).finishInterrupted();
  if (interrupted?.state === 'finished')
    printNote(`A change of content/ that was interrupted is now saved: ${interrupted.summary}.`);
  if (interrupted?.state === 'failed')
    printNote(`A change of content/ that was interrupted is not finished yet: ${interrupted.reason}`);
  // Read before the owner sees the first page, which needs them.
  readLaunchFacts(root, config);
  const access = createAccess();
  const siteName = readContent(join(root, 'content')).validFiles.brand?.name ?? 'Your site';
  await using cleanup = new AsyncDisposableStack();
  const app = await createDesk({ services, bundle, access, root, cleanup, siteName });
  await using running = await listen(app, port);
  const createUrl = () => `http://localhost:${running.port}${signInPath}?token=${access.createLink()}`;
  const url = createUrl();
  // SIGHUP: the window of the terminal is closed.
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'].map(signal => once(process, signal));
  printLines(['The desk is open on this machine. This link works once:', '', `  ${url}`, '']);
  printNote('Press Enter for a new link, Ctrl+C to close the desk.');
  if (open && isInteractive()) openBrowser(url);
  using keys = onEnter(() => printLines([`  ${createUrl()}`]));
  await Promise.race([...signals, keys.ended, services.fatalError]);
}

function parsePort(given: string): number {
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw new InvalidArgumentError('Expected a number up to 65535.');
  return Number(given);
}

async function listen(app: DeskApp, port: number | undefined): Promise<RunningDesk> {
  try {
    return await serveDesk(app, port ?? defaultPort);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (port) exitWithError(`port ${port} is in use: choose another one, or leave out --port.`);
    return serveDesk(app, 0);
  }
}

function openBrowser(url: string): void {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const say = () => printNote('No browser could be opened here: open the link yourself.');
  spawn(program, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', say)
    .on('exit', code => code && say())
    .unref();
}
