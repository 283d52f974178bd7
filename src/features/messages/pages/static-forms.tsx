import { settings } from 'content:settings';
import { static as texts } from 'content:static';
import { EmailLink, PhoneLink } from '../../../ui/components/contact-links.tsx';
import { postRecord } from '../../../ui/forms/post-json.ts';
import { messageFields } from '../message-fields.ts';
import type { OutgoingMessage } from './send-message.ts';
import type * as server from './server-forms.tsx';

/** The forms of a site on a static host: browsers post to a sheet service, which needs JavaScript. */
export const formProps: typeof server.formProps = { method: 'dialog' };

/** A sheet service has no idempotency keys and adds a row for each post, so only the visitor may retry. */
export const canRetry: typeof server.canRetry = false;

export const sendMessage: typeof server.sendMessage = async (
  { fields }: OutgoingMessage,
  signal: AbortSignal,
) => {
  const { name = '', email = '', message = '', ...details } = fields;
  const lines = messageFields.flatMap(field => {
    const value = details[field.name as keyof typeof details];
    return value ? [`${field.label}: ${value}`] : [];
  });
  const text = [...lines, message].filter(Boolean).join('\n');
  const result = await postRecord(settings.CONTACT_ENDPOINT, { name, email, message: text }, signal);
  return result === 'sent' ? { kind: result, reference: '' } : { kind: result };
};

export const fetchFormToken: typeof server.fetchFormToken = async () => undefined;

export const HiddenFields: typeof server.HiddenFields = () => null;

export const NoScriptContact: typeof server.NoScriptContact = () => (
  <noscript>
    <div className="rounded-card border-2 border-edge px-6 py-5">
      <p>{texts.withoutScript}</p>
      <p className="mt-2 flex flex-wrap items-center gap-x-6">
        <PhoneLink className="text-lg" />
        <EmailLink />
      </p>
    </div>
  </noscript>
);
