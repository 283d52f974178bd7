import { defineSettings } from '../../../core/settings/define-settings.ts';
import {
  choice,
  parsedBy,
  parseSecureUrl,
  webhookSecret,
  webhookSecretFormat,
  wholeNumber,
} from '../../../core/settings/schemas.ts';

export type WebhookSettings = { url: string; perSecond: number } & (
  | { style: 'standard'; secrets: Buffer[] }
  | { style: 'slack' | 'teams' }
);

export const webhookSettings = defineSettings(
  {
    WEBHOOK_URL: {
      // The address of a chat is enough to write to it.
      secret: parsedBy(
        value => parseSecureUrl(value)?.href,
        'an address that begins with https:// (http:// only for this machine) and holds no user or password',
      ),
      about: 'A URL that is called for each message, https only.',
    },
    WEBHOOK_STYLE: {
      schema: choice('standard', 'slack', 'teams'),
      default: 'standard',
      about: 'standard (signed JSON, www.standardwebhooks.com), slack or teams.',
    },
    WEBHOOK_SECRET: {
      secret: webhookSecret,
      needs: 'WEBHOOK_URL',
      about: `Signs the calls of the standard style, and is required for it: "whsec_$(openssl rand -base64 32)"`,
    },
    WEBHOOK_SECRET_PREVIOUS: {
      secret: webhookSecret,
      needs: 'WEBHOOK_SECRET',
      about: 'The previous WEBHOOK_SECRET: calls carry both signatures.',
    },
    WEBHOOK_RATE: {
      schema: wholeNumber({ min: 1, max: 100, unit: 'calls per second' }),
      about: 'Maximum calls a second; by default 10 for standard and 1 for chats.',
    },
  },
  (values, { isSet, addError }): WebhookSettings | undefined => {
    const { WEBHOOK_URL: url, WEBHOOK_STYLE: style, WEBHOOK_RATE: rate } = values;
    const isSigned = style === 'standard';
    if (isSigned && isSet('WEBHOOK_URL') && !isSet('WEBHOOK_SECRET')) {
      addError(
        'WEBHOOK_SECRET',
        `WEBHOOK_URL is set, but WEBHOOK_SECRET is not, expected ${webhookSecretFormat}, or WEBHOOK_STYLE=slack or teams for a chat`,
      );
    }
    if (!isSigned && isSet('WEBHOOK_SECRET')) {
      addError('WEBHOOK_SECRET', `WEBHOOK_SECRET is set, but nothing is signed with WEBHOOK_STYLE=${style}`);
    }
    if (!url) return undefined;
    if (!isSigned) return { url, style, perSecond: rate ?? 1 };
    const secrets = [values.WEBHOOK_SECRET, values.WEBHOOK_SECRET_PREVIOUS].filter(one => one !== undefined);
    return { url, style, perSecond: rate ?? 10, secrets };
  },
);
