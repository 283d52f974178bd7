import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeContentError } from '../../../core/content/content-error.ts';
import type { Facts } from '../../../core/content/content-part.ts';
import { facts } from '../../../core/content/facts.ts';
import type { AuditDns } from '../../../core/network/network.ts';
import { type ReceiverChecks, receiverChecks } from '../../../features/messages/receivers/receiver-checks.ts';
import { readSite } from '../../content.ts';
import { readConfig } from '../../server/config.ts';
import { exitWithError } from '../print.ts';
import { askDetails } from './ask-details.ts';
import { askDomain, askMail } from './ask-settings.ts';
import { askSheet } from './ask-sheet.ts';
import { type Details, editContent, fileOf, listChanged, readDetails } from './edit-details.ts';
import { editEnvFile, parseSettings, type Settings } from './env-file.ts';
import { createPrompts, type Prompts, SetupCancelled, type Streams } from './prompts.ts';
import { findWriteProblem, replaceFile, restrictMode } from './save.ts';

type SetupOptions = { folder: string; streams: Streams; dns: AuditDns; checks?: ReceiverChecks };

export async function runSetup({
  folder,
  streams,
  dns,
  checks = receiverChecks,
}: SetupOptions): Promise<'finished' | 'cancelled'> {
  const contentFolder = join(folder, 'content');
  const envFile = join(folder, '.env');
  const content = readContentOrExit(contentFolder);
  const edited = Object.values(facts.files).map(({ path }) => join(contentFolder, path));
  for (const path of [envFile, ...edited]) {
    const problem = await findWriteProblem(path);
    if (problem) exitWithError(problem);
  }
  const before = parseSettings(readIfThere(envFile));
  const prompts = createPrompts(streams);
  try {
    prompts.begin('Set up your site');
    prompts.inform(
      'Enter keeps what is shown. Nothing is saved before the end; Ctrl+C leaves everything as it is.',
    );
    const details = await askDetails({ prompts, dns, content, contentFolder });
    const context = { prompts, dns, checks };
    const withDomain = await askDomain(context, before);
    const withMail = await askMail(context, withDomain, details.email);
    const settings = await askSheet(context, withMail);
    const changes = listChangedSettings(before, settings);
    if (!(await confirmChanges(prompts, content, details, changes))) return 'finished';
    // Read again, because the owner may have edited it meanwhile.
    const envText = editEnvFile(readIfThere(envFile), changes);
    if (Object.keys(changes).length > 0) await replaceFile(envFile, envText, restrictMode);
    for (const [file, text] of editContent(contentFolder, content, details))
      await replaceFile(join(contentFolder, file), text);
    printNextSteps(prompts, settings, changes);
    return 'finished';
  } catch (error) {
    if (!(error instanceof SetupCancelled)) throw error;
    prompts.end('Cancelled. Nothing was changed.');
    return 'cancelled';
  }
}

function readContentOrExit(folder: string): Facts {
  const { content, errors } = readSite(folder);
  if (content && errors.length === 0) return content;
  return exitWithError(
    'content/ has errors; correct them, then run npm run setup again:',
    ...errors.map(error => `  ${describeContentError(error)}`),
  );
}

async function confirmChanges(prompts: Prompts, content: Facts, details: Details, changes: Settings) {
  const fields = listChanged(readDetails(content), details);
  const names = Object.keys(changes);
  if (fields.length + names.length === 0) {
    prompts.end('Nothing was changed. To see what is still missing: npm run check-launch');
    return false;
  }
  prompts.list('To be saved', [
    ...fields.map(field => `${fileOf(field)} ${field}: ${[details[field]].flat().join(', ')}`),
    ...names.map(name => `.env ${name}: ${describeSetting(name, changes[name] ?? '')}`),
  ]);
  if (await prompts.confirm('Save this?')) return true;
  prompts.end('Nothing was changed.');
  return false;
}

function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

function printNextSteps(prompts: Prompts, settings: Settings, changes: Settings): void {
  const result = readConfig(settings);
  for (const error of 'errors' in result ? result.errors : []) prompts.warn(`Correct this in .env: ${error}`);
  prompts.list('Saved. What next?', [
    'npm run dev            see the site with your changes',
    'npm run publish-site   publish them',
    'npm run check-launch   see what is still missing before the site goes live',
  ]);
  const isRunningOld = Object.keys(changes).length > 0;
  prompts.end(
    isRunningOld
      ? 'If the site is running, restart it: settings in .env are read when it starts.'
      : 'You can run npm run setup again at any time.',
  );
}

function listChangedSettings(before: Settings, after: Settings): Settings {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => value.trim() !== (before[name] ?? '').trim()),
  );
}

/** An address with a password or a secret in it is named by its host. */
function describeSetting(name: string, value: string): string {
  if (value === '') return 'unset';
  return /^(SMTP|SHEET)_/.test(name) ? `${URL.parse(value)?.host ?? ''} (the rest is not shown)` : value;
}
