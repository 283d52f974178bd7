import { type Command, Option } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { type Action, type InputSchema, type Printed, Refusal } from '../../core/action.ts';
import { features } from '../../features.ts';
import { errorMessage } from '../../lib/error-message.ts';
import type { Services } from '../server/wire.ts';
import { confirm, createCommand, type Flags, openDatabase, runCommand } from './command.ts';
import { readConfigOrExit, readDatabaseConfigOrExit } from './exit-on-error.ts';
import { exitWithError, printError, printJson, printNote, printTable } from './print.ts';
import { printLines } from './terminal.ts';
import { isStandardOutput, writeOutput } from './write-output.ts';

type Values = Flags<'yes' | 'json'>;

/** A command with a subcommand for each action. */
export async function runFeatureCommand(name: string): Promise<void> {
  const load = features.map(({ actions }) => actions?.[name]).find(Boolean);
  if (!load) throw new Error(`no feature has the actions of ${name}`);
  const { about, example, actions } = await load();
  const command = createCommand(name, about, example);
  for (const action of actions) addAction(command, action);
  await runCommand(command);
}

function addAction(parent: Command, action: Action): void {
  const { name, about, example = '', input } = action;
  const command = parent
    .command(name)
    .description(about)
    .addHelpText('after', `\nExamples:\n  ${`${parent.name()} ${name} ${example}`.trimEnd()}`)
    .showHelpAfterError(`Help: ${parent.name()} ${name} --help`);
  const fields = listFields(input);
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
    const parsed = readInput(command, action, { ...values, ...given });
    if (action.opens === 'nothing') {
      const config = readConfigOrExit();
      return performAction(action, { config } as Services, parsed, values);
    }
    const readSettings = action.opens === 'database' ? readDatabaseConfigOrExit : readConfigOrExit;
    await using services = await openDatabase(readSettings());
    await performAction(action, services, parsed, values);
  });
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
  try {
    const result = v.safeParse(input, given);
    if (result.success) return result.output;
    const [{ message, path: [field] = [] }] = result.issues;
    const { flags } = listFields(input).find(({ name }) => name === field?.key) ?? {};
    const about = typeof field?.value === 'string' ? `'${field.value}' is invalid for ${flags}. ` : '';
    return command.error(`Error: ${about}${message}`);
  } catch (error) {
    if (error instanceof Refusal) exitWithError(error.message, ...error.details);
    throw error;
  }
}

function getFile(input: unknown): string {
  return (input as { file?: string }).file ?? '-';
}

/** Asks where the action says so, acts, and prints what came of it. */
export async function performAction<Input extends InputSchema, Result>(
  action: Action<Input, Result>,
  services: Services,
  input: v.InferOutput<Input>,
  values: Values,
): Promise<void> {
  const isJson = values.json === true && !action.file;
  if (action.file) isStandardOutput(getFile(input));
  try {
    const question = await action.confirm?.(services, input);
    // Notes go to standard error, so they stand above the question also where the result is for a program.
    const shown = question?.shows ?? [];
    show(isJson ? shown.filter(part => typeof part === 'string') : shown, false);
    if (question?.text && !(await confirm(question.text, values, question.otherwise))) return;
    const result = await action.run(services, input, printNote);
    if (action.file) await writeOutput(getFile(input), action.file(result), input as Flags<'force'>);
    const json = action.json ? action.json(result, input) : result;
    if (isJson && json !== undefined) printJson(json);
    show(action.print(result, input, services), isJson);
    if (action.exitCode?.(result)) process.exitCode = 1;
  } catch (error) {
    if (error instanceof Refusal) exitWithError(error.message, ...error.details);
    const isSystemError = error instanceof Error && ('code' in error || 'errcode' in error);
    if (!isSystemError) throw error;
    exitWithError(`${errorMessage(error)}. The command was interrupted; run it again to complete it.`);
  }
}

function show(parts: readonly Printed[], isJson: boolean): void {
  for (const part of parts) {
    if (!part) continue;
    if (typeof part === 'object' && 'error' in part) printError(part.error);
    else if (isJson) continue;
    else if (typeof part === 'string') printNote(part);
    else if ('lines' in part) printLines(part.lines);
    else printTable(part);
  }
}
