import { join } from 'node:path';
import { type Command, CommanderError, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { type Action, type InputSchema, type Printed, type Progress, Refusal } from '../../core/action.ts';
import { features } from '../../features.ts';
import { errorMessage } from '../../lib/error-message.ts';
import { siteActions } from '../actions/list-actions.ts';
import { listPagePaths } from '../build/create-page-settings.ts';
import { readContent } from '../content.ts';
import { confirm, createCommand, type Flags, formatExamples, openDatabase, runCommand } from './command.ts';
import { readConfigOrExit, readDatabaseConfigOrExit, root } from './exit-on-error.ts';
import { printError, printJson, printNote, printTable } from './print.ts';
import { outputWidth, printLines } from './terminal.ts';
import { isStandardOutput, writeOutput } from './write-output.ts';

type Values = Flags<'yes' | 'json'>;

/** An action, or a command with a subcommand for each of several. */
export async function runNamed(name: string): Promise<void> {
  const load = [siteActions, ...features.map(({ actions }) => actions)].find(known => known?.[name])?.[name];
  if (!load) throw new Error(`nothing is registered for the command ${name}`);
  const loaded = await load(features, listPagePaths);
  if ('actions' in loaded) {
    const [example = ''] = loaded.actions.map(({ name, examples }) => `${name} ${examples[0]}`);
    const command = createCommand(name, loaded.about, [example]);
    for (const action of loaded.actions) addSubcommand(command, action);
    return runCommand(command);
  }
  const command = createCommand(name, loaded.about, loaded.examples);
  defineCommand(command, loaded);
  await runCommand(command);
}

function addSubcommand(parent: Command, action: Action): void {
  const { name, about } = action;
  const command = parent
    .command(name)
    .description(about)
    .addHelpText('after', formatExamples(`${parent.name()} ${name}`, action.examples))
    .showHelpAfterError(`Help: ${parent.name()} ${name} --help`);
  defineCommand(command, action);
}

function defineCommand(command: Command, action: Action): void {
  const fields = listFields(action.input);
  for (const { flags, ...field } of fields) {
    if (flags.startsWith('-')) command.addOption(createOption(flags, field));
    else command.argument(flags, field.about);
  }
  if (action.confirm) command.option('--yes', 'skip the confirmation prompt');
  if (!action.file) command.option('--json', 'print JSON');
  command.action(async () => {
    const names = fields.filter(({ flags }) => !flags.startsWith('-')).map(({ name }) => name);
    const given = Object.fromEntries(names.map((name, index) => [name, command.processedArgs[index]]));
    const values: Values = command.opts();
    try {
      await openAndPerform(action, readInput(command, action, { ...values, ...given }), values);
    } catch (error) {
      explainError(error);
    }
  });
}

async function openAndPerform(action: Action, input: unknown, values: Values): Promise<void> {
  const { opens } = action;
  const config = opens === 'database' ? readDatabaseConfigOrExit() : readConfigOrExit();
  const readSite = () => readContent(join(root, 'content'));
  if (opens === 'nothing') return performAction(action, { config, readContent: readSite }, input, values);
  await using needs = await (action.open?.(config, input, createProgress(values)) ?? openDatabase(config));
  await performAction(action, needs, input, values);
}

type Field = { about: string; schema: v.GenericSchema };

function listFields({ entries }: InputSchema) {
  return Object.entries(entries).flatMap(([name, entry]) => {
    const schema = entry as v.GenericSchema;
    const flags = v.getTitle(schema);
    return flags === undefined ? [] : [{ name, flags, about: v.getDescription(schema) ?? '', schema }];
  });
}

function createOption(flags: string, { about, schema }: Field): Option {
  const option = new Option(flags, about);
  const { default: initial } = schema as { default?: unknown };
  const inner = 'wrapped' in schema ? (schema.wrapped as v.GenericSchema) : schema;
  if (schema === inner) option.makeOptionMandatory();
  if (typeof initial === 'string') option.default(initial, initial);
  if ('options' in inner) option.choices(inner.options as string[]);
  if (inner.type === 'array') option.argParser((given, before: string[] = []) => [...before, given]);
  return option;
}

function readInput(command: Command, { input }: Action, given: Record<string, unknown>): unknown {
  const result = v.safeParse(input, given);
  if (result.success) return result.output;
  const [{ message, path: [field] = [] }] = result.issues;
  const { flags } = listFields(input).find(({ name }) => name === field?.key) ?? {};
  const about = typeof field?.value === 'string' ? `'${field.value}' is invalid for ${flags}. ` : '';
  return command.error(`Error: ${about}${message}`);
}

function getFile(input: unknown): string {
  return (input as { file?: string }).file ?? '-';
}

/** Asks where the action says so, acts, and prints what came of it. */
export async function performAction<Input extends InputSchema, Result, Needs>(
  action: Action<Input, Result, Needs>,
  needs: Needs,
  input: v.InferOutput<Input>,
  values: Values,
): Promise<void> {
  const isJson = values.json === true && !action.file;
  if (action.file) isStandardOutput(getFile(input));
  const question = await action.confirm?.(needs, input);
  for (const part of question?.shows ?? []) showMeanwhile(part, isJson);
  if (question?.text && !(await confirm(question.text, values, question.otherwise))) return;
  const result = await action.run(needs, input, createProgress(values));
  if (action.file) await writeOutput(getFile(input), action.file(result), input as Flags<'force'>);
  const json = action.json ? action.json(result, input) : result;
  if (isJson && json !== undefined) printJson(json);
  for (const part of action.print(result, input, needs)) if (!isJson || isError(part)) show(part);
  if (action.exitCode?.(result)) process.exitCode = 1;
}

/** What was opened is closed by its owner, so the process is not ended here. */
function explainError(error: unknown): void {
  if (error instanceof Refusal) {
    printError(error.message);
    for (const line of error.details) printNote(line);
    process.exitCode = error.exitCode;
    return;
  }
  const isOfSystem = error instanceof Error && ('code' in error || 'errcode' in error);
  if (!isOfSystem || error instanceof CommanderError) throw error;
  printError(`${errorMessage(error)}. The command was interrupted; run it again to complete it.`);
}

function createProgress({ json: isJson = false }: Values): Progress {
  return part => showMeanwhile(part, isJson);
}

/** Notes go to standard error, so they are shown also where the result is for a program. */
function showMeanwhile(part: Printed, isJson: boolean): void {
  const isData = Array.isArray(part) || (typeof part === 'object' && 'lines' in part);
  if (!isJson || !isData) show(part);
}

function isError(part: Printed): boolean {
  return typeof part === 'object' && 'error' in part;
}

function show(part: Printed): void {
  if (!part) return;
  if (typeof part === 'string') printNote(part);
  else if ('error' in part) printError(part.error);
  else if ('lines' in part) printLines(part.lines);
  else if (!('watched' in part)) printTable(part);
  else if (outputWidth() !== undefined) printNote(part.watched);
}
