import { readCoreSettings } from '../../core/settings/core-settings.ts';
import { databaseSettings } from '../../core/settings/database-settings.ts';
import {
  type Environment,
  explain,
  type SettingError,
  type SettingsPart,
} from '../../core/settings/define-settings.ts';
import { mailSettings } from '../../core/settings/mail-settings.ts';
import {
  retentionSettings,
  serverSettings,
  staticHostSettings,
} from '../../core/settings/server-settings.ts';
import { sheetSettings } from '../../features/messages/settings/sheet-settings.ts';
import { webhookSettings } from '../../features/messages/settings/webhook-settings.ts';
import { features } from '../../features.ts';

export type { Environment } from '../../core/settings/define-settings.ts';
export { defaultRetention } from '../../core/settings/server-settings.ts';

export type Config = ReturnType<typeof readAll>['config'];

const featureSettings: Record<string, SettingsPart> = Object.assign(
  {},
  ...features.map(({ settings }) => settings),
);

/** The headings and the order of .env.example. */
export const allSettings: Record<string, SettingsPart> = {
  Server: serverSettings,
  Database: databaseSettings,
  Retention: retentionSettings,
  Mail: mailSettings,
  ...featureSettings,
  'Hosts without a server': staticHostSettings,
};

export function readConfig(env: Environment): { config: Config } | { errors: string[] } {
  const { config, errors } = readAll(env);
  return errors.length > 0 ? { errors: errors.map(({ text }) => text) } : { config };
}

/** For commands that need the database alone: what else is wrong is a warning, and has its default meanwhile. */
export function readDatabaseConfig(
  env: Environment,
): { config: Config; warnings: string[] } | { errors: string[] } {
  const { config, errors } = readAll(env);
  const fatal = errors.filter(({ name }) => name in databaseSettings.settings);
  if (fatal.length > 0) return { errors: fatal.map(({ text }) => text) };
  return { config, warnings: errors.map(({ text }) => text) };
}

export function findSettingError(env: Environment, name: string): string | undefined {
  return readAll(env).errors.find(error => error.name === name)?.text;
}

/** For the desk: what .env.example says. */
export function explainSetting(name: string): { text: string; value: string } | undefined {
  const part = Object.values(allSettings).find(({ settings }) => Object.hasOwn(settings, name));
  const setting = part?.settings[name];
  return setting && explain(setting);
}

function readAll(env: Environment) {
  const errors: SettingError[] = [];
  const core = readCoreSettings(env, errors);
  const parts = new Map<SettingsPart, unknown>();
  for (const part of Object.values(featureSettings)) parts.set(part, part.read(env, errors));
  const get = <Result>(part: SettingsPart<Result>) => parts.get(part) as Result;
  const config = {
    ...nameParts(parts),
    ...core,
    sheet: get(sheetSettings),
    webhook: get(webhookSettings),
    /** Of the features, each of which reads its own. */
    parts,
  };
  return { config, errors };
}

/** A feature that has one part finds it by its own name. */
function nameParts(parts: ReadonlyMap<SettingsPart, unknown>): object {
  const named = features.flatMap(({ name, settings = {} }) => {
    const [part, ...more] = Object.values(settings);
    return part && more.length === 0 ? [[name, parts.get(part)]] : [];
  });
  return Object.fromEntries(named);
}
