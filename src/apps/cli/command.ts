import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { UsageError } from '../../core/action.ts';
import { findMissingDatabase } from '../../core/database/sqlite.ts';
import { findPublishedContent } from '../../core/http/current-build.ts';
import type { Log } from '../../core/log.ts';
import { FileWriteError } from '../../core/new-file.ts';
import { createProcessLog } from '../../core/process-log.ts';
import { replaceControls } from '../../lib/control-characters.ts';
import type { Config } from '../server/config.ts';
import type { Services } from '../server/wire.ts';
import { root, wireOrExit } from './exit-on-error.ts';
import { exitWithError, printError, printNote } from './print.ts';
import {
  askYesNo,
  isInteractive,
  outputWidth,
  printErrorLines,
  printLines,
  printUncaughtErrors,
} from './terminal.ts';

/** Commander's output goes through terminal.ts, which escapes it; an error stays one line whatever the arguments. */
export function createCommand(name: string, about: string, examples: readonly string[]): Command {
  return new Command(`npm run ${name} --`)
    .description(about)
    .addHelpText('after', formatExamples(`npm run ${name} --`, examples))
    .helpOption('-h, --help', 'show this help')
    .showHelpAfterError(`Help: npm run ${name} -- --help`)
    .exitOverride()
    .configureOutput({
      writeOut: text => printLines(text.trimEnd().split('\n')),
      writeErr: text => printErrorLines(text.trimEnd().split('\n')),
      outputError: (text, write) => write(replaceControls(text).replace(/^error:/, 'Error:')),
      getOutHelpWidth: () => outputWidth() ?? 80,
    });
}

export function formatExamples(command: string, examples: readonly string[]): string {
  const lines = examples.map(args => `  ${command} ${args}`.replace(/( --)? $/, ''));
  return `\nExamples:\n${lines.join('\n')}`;
}

export async function runCommand(command: CommandUnknownOpts): Promise<void> {
  printUncaughtErrors();
  try {
    await command.parseAsync().catch(error => {
      if (error instanceof UsageError) command.error(`Error: ${error.message}`);
      throw error;
    });
  } catch (error) {
    if (error instanceof FileWriteError) return printError(error.message);
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) process.exit(2);
  }
}

export type Flags<Name extends string> = { [name in Name]?: boolean | undefined };
/** Checked first, because opening a missing SQLite file would create it. */
export async function openDatabase(config: Config): Promise<Services> {
  const missing = findMissingDatabase(config);
  if (missing) {
    exitWithError(`no database found at ${missing}. Check DATA_DIR; npm start creates the database.`);
  }
  return wireOrExit(config, { log: createCommandLog(config), findContent: () => findPublishedContent(root) });
}

export function createCommandLog(config: Config): Log {
  return createProcessLog({ ...config, logLevel: 'error' });
}

export async function confirm(question: string, { yes }: Flags<'yes'>, cancelled: string): Promise<boolean> {
  if (yes || (isInteractive() && (await askYesNo(question)))) return true;
  if (!isInteractive()) printError(`${cancelled}: not a terminal, so --yes is required`);
  else printNote(`${cancelled}.`);
  process.exitCode = 1;
  return false;
}
