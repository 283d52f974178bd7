import { readFileSync } from 'node:fs';
import * as v from 'valibot';

export type Environment = Record<string, string | undefined>;

type Schema = v.GenericSchema<string, unknown>;

/**
 * One environment variable: its reader, .env.example and the desk's explanation follow from it. The messages of its schema
 * say what is expected. A secret is never printed, and NAME_FILE may name a file that holds it.
 */
type Setting = { about: string; default?: string; needs?: string } & (
  | { schema: Schema }
  | { secret: Schema }
);

type Settings = Record<string, Setting>;

type Values<S extends Settings> = {
  [Name in keyof S]: Output<S[Name]> | (S[Name] extends { default: string } ? never : undefined);
};

type Output<S> = S extends { schema: infer Read extends Schema } | { secret: infer Read extends Schema }
  ? v.InferOutput<Read>
  : never;

/** `name`: the setting to correct. */
export type SettingError = { name: string; text: string };

/** `isSet`: also if the value is wrong. */
type Check = { isSet(name: string): boolean; addError(name: string, text: string): void };

/** A part of the environment, for one feature. */
export type SettingsPart<Result = unknown> = {
  settings: Settings;
  read(env: Environment, errors: SettingError[]): Result;
};

/** `finish` checks settings against each other. */
export function defineSettings<const S extends Settings, Result>(
  settings: S,
  finish: (values: Values<S>, check: Check) => Result,
): SettingsPart<Result> {
  return {
    settings,
    read(env, errors) {
      const check: Check = {
        isSet: name =>
          Boolean(find(env, name) ?? find(env, settings[name] && fileName(name, settings[name]))),
        addError: (name, text) => errors.push({ name, text }),
      };
      const values = Object.entries(settings).map(([name, setting]) => [
        name,
        readSetting(name, setting, env, check) ?? readDefault(setting),
      ]);
      return finish(Object.fromEntries(values), check);
    },
  };
}

function readSetting(name: string, setting: Setting, env: Environment, { isSet, addError }: Check): unknown {
  const { needs } = setting;
  const given = find(env, name);
  if (needs && isSet(name) && !isSet(needs)) {
    // A copy of .env.example sets defaults.
    if (!given || given !== setting.default)
      addError(name, `${name} is set, which means nothing without ${needs}`);
    return undefined;
  }
  const file = find(env, fileName(name, setting));
  if (file && given) addError(name, `${name} and ${name}_FILE are both set`);
  const text = given ?? (file && readSecretFile(file, reason => addError(name, `${name}_FILE ${reason}`)));
  if (!text) return undefined;
  const result = v.safeParse(schemaOf(setting), text);
  if (result.success) return result.output;
  const shown = 'secret' in setting ? 'not shown here' : `'${redactUrl(name, text)}'`;
  addError(name, `${name} is ${shown}, expected ${result.issues[0].message}`);
  return undefined;
}

function readDefault(setting: Setting): unknown {
  return setting.default === undefined ? undefined : v.parse(schemaOf(setting), setting.default);
}

function schemaOf(setting: Setting): Schema {
  return 'secret' in setting ? setting.secret : setting.schema;
}

function fileName(name: string, setting: Setting): string | undefined {
  return 'secret' in setting ? `${name}_FILE` : undefined;
}

function find(env: Environment, name: string | undefined): string | undefined {
  return (name && env[name]?.trim()) || undefined;
}

function readSecretFile(file: string, addError: (reason: string) => void): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (!text) addError(`is '${file}', which is empty`);
    return text;
  } catch (error) {
    addError(`is '${file}', which cannot be read (${(error as NodeJS.ErrnoException).code})`);
    return undefined;
  }
}

function redactUrl(name: string, value: string): string {
  if (!/_(URL|ENDPOINT)$/.test(name)) return value;
  const scheme = /^[a-z]+:\/\//i.exec(value)?.[0] ?? '';
  const at = value.lastIndexOf('@');
  const shown = (at < 0 ? value : `${scheme}…${value.slice(at)}`).replace(/\?.*/s, '?…');
  // The path of a sheet is enough to write to it.
  return name.startsWith('SHEET_') ? shown.replace(/^([a-z]+:\/\/[^/]*\/).+/is, '$1…') : shown;
}

/** Without the line breaks of the source. */
export function explain({ about, default: value = '' }: Setting): { text: string; value: string } {
  return { text: about.replaceAll(/\s+/g, ' '), value };
}

/** The text of .env.example. */
export function formatExample(parts: Record<string, SettingsPart>): string {
  const intro =
    'Every setting, with its default. Copy to .env and change what you need; no setting is required.';
  const paragraphs = [formatComment(`${intro} npm run setup asks for the main ones.`)];
  for (const [title, { settings }] of Object.entries(parts)) {
    paragraphs.push(formatComment(`---- ${title} ----`));
    for (const [name, setting] of Object.entries(settings)) {
      const { text, value } = explain(setting);
      const file = fileName(name, setting);
      paragraphs.push(`${formatComment(text)}${name}=${value}\n`);
      if (file) paragraphs.push(`${formatComment(`A file that holds ${name} instead.`)}${file}=\n`);
    }
  }
  return paragraphs.join('\n');
}

function formatComment(text: string): string {
  return text.replaceAll(/(.{1,128})(?: |$)/g, '# $1\n');
}
