import type { WebhookSettings } from '../../deliveries/webhook/webhook-receiver.ts';
import { oneOf, type SettingsReader, safeAddress, wholeNumber } from './settings-reader.ts';

export const secretFormat =
  'whsec_ and 24 to 64 bytes in base64, such as "whsec_$(openssl rand -base64 32)" makes';

/** The address of a chat is enough to write to it, so it is a secret. */
export function readWebhookSettings(reader: SettingsReader): WebhookSettings | undefined {
  const url = reader.secret(
    'WEBHOOK_URL',
    'an address that begins with https:// (http:// only for this machine) and holds no user or password',
    webhookUrl,
  );
  const style = reader.read(
    'WEBHOOK_STYLE',
    'standard',
    'standard, slack or teams',
    oneOf('standard', 'slack', 'teams'),
  );
  const secret = reader.secret('WEBHOOK_SECRET', secretFormat, webhookSecret);
  const previous = reader.secret('WEBHOOK_SECRET_PREVIOUS', secretFormat, webhookSecret);
  const usual = style === 'standard' ? 10 : 1;
  const perSecond = reader.read(
    'WEBHOOK_RATE',
    usual,
    'a whole number of calls per second from 1 to 100',
    wholeNumber(100, 1),
  );
  checkCombinations(reader, style);
  if (!url) return undefined;
  if (style !== 'standard') return { url, style, perSecond };
  return { url, style, perSecond, secrets: [secret, previous].filter(one => one !== undefined) };
}

function checkCombinations(reader: SettingsReader, style: WebhookSettings['style']): void {
  const isSigned = style === 'standard';
  if (reader.isSet('WEBHOOK_URL') && isSigned && !reader.isSet('WEBHOOK_SECRET')) {
    reader.addError(
      `WEBHOOK_URL is set, but WEBHOOK_SECRET is not, expected ${secretFormat}, or WEBHOOK_STYLE=slack or teams for a chat`,
    );
  }
  if (reader.isSet('WEBHOOK_SECRET') && !reader.isSet('WEBHOOK_URL')) {
    reader.addError('WEBHOOK_SECRET is set, but WEBHOOK_URL is not');
  }
  if (reader.isSet('WEBHOOK_SECRET') && !isSigned) {
    reader.addError(`WEBHOOK_SECRET is set, but nothing is signed with WEBHOOK_STYLE=${style}`);
  }
  if (reader.isSet('WEBHOOK_SECRET_PREVIOUS') && !reader.isSet('WEBHOOK_SECRET')) {
    reader.addError('WEBHOOK_SECRET_PREVIOUS is set, but WEBHOOK_SECRET is not');
  }
}

function webhookUrl(value: string): string | undefined {
  return safeAddress(value)?.href;
}

export function webhookSecret(value: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}
