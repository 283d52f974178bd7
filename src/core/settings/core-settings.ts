import { databaseSettings } from './database-settings.ts';
import type { Environment, SettingError, SettingsPart } from './define-settings.ts';
import { mailSettings, readOwnName } from './mail-settings.ts';
import { retentionSettings, serverSettings, staticHostSettings } from './server-settings.ts';

export type CoreConfig = ReturnType<typeof readCoreSettings>;

export function readCoreSettings(env: Environment, errors: SettingError[]) {
  const read = <Result>(part: SettingsPart<Result>) => part.read(env, errors);
  const [database, server, mail] = [read(databaseSettings), read(serverSettings), read(mailSettings)];
  if (server.outbox === 'separate' && !database.databaseUrl) {
    const text =
      'OUTBOX is separate without DATABASE_URL: no other process can deliver from the embedded database';
    errors.push({ name: 'OUTBOX', text });
  }
  const ownName = readOwnName(server.siteUrl);
  return {
    ...database,
    ...server,
    ...read(staticHostSettings),
    retention: read(retentionSettings),
    mail: { ...mail, smtp: mail.smtp && { ...mail.smtp, ...(ownName && { ownName }) } },
  };
}
