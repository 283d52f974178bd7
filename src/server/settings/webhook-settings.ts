import type { WebhookSettings } from '../../deliveries/webhook/webhook-receiver.ts';
import { parseSecureUrl, type SettingsReader } from './settings-reader.ts';

export const webhookSecretFormat =
  'whsec_ and 24 to 64 bytes in base64, such as "whsec_$(openssl rand -base64 32)" makes';

/** The address of a chat is enough to write to it, so it is a secret. */
export function readWebhookSettings(reader: SettingsReader): WebhookSettings | undefined {
  const url = reader.secret(
    'WEBHOOK_URL',
    'an address that begins with https:// (http:// only for this machine) and holds no user or password',
    value => parseSecureUrl(value)?.href,
  );
  const style = reader.choice('WEBHOOK_STYLE', 'standard', ['standard', 'slack', 'teams']);
  const secret = reader.secret('WEBHOOK_SECRET', webhookSecretFormat, webhookSecret);
  const previous = reader.secret('WEBHOOK_SECRET_PREVIOUS', webhookSecretFormat, webhookSecret);
  const perSecond = reader.number('WEBHOOK_RATE', style === 'standard' ? 10 : 1, {
    min: 1,
    max: 100,
    unit: 'calls per second',
  });
  checkCombinations(reader, style);
  if (!url) return undefined;
  if (style !== 'standard') return { url, style, perSecond };
  return { url, style, perSecond, secrets: [secret, previous].filter(one => one !== undefined) };
}

function checkCombinations(reader: SettingsReader, style: WebhookSettings['style']): void {
  const isSigned = style === 'standard';
  if (reader.isSecretSet('WEBHOOK_URL') && isSigned && !reader.isSecretSet('WEBHOOK_SECRET')) {
    reader.addError(
      `WEBHOOK_URL is set, but WEBHOOK_SECRET is not, expected ${webhookSecretFormat}, or WEBHOOK_STYLE=slack or teams for a chat`,
    );
  }
  if (reader.isSecretSet('WEBHOOK_SECRET') && !reader.isSecretSet('WEBHOOK_URL')) {
    reader.addError('WEBHOOK_SECRET is set, but WEBHOOK_URL is not');
  }
  if (reader.isSecretSet('WEBHOOK_SECRET') && !isSigned) {
    reader.addError(`WEBHOOK_SECRET is set, but nothing is signed with WEBHOOK_STYLE=${style}`);
  }
  if (reader.isSecretSet('WEBHOOK_SECRET_PREVIOUS') && !reader.isSecretSet('WEBHOOK_SECRET')) {
    reader.addError('WEBHOOK_SECRET_PREVIOUS is set, but WEBHOOK_SECRET is not');
  }
}

export function webhookSecret(value: string): Buffer | undefined {
  const encoded = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 ? bytes : undefined;
}
