import type { ReactNode } from 'react';
import { unsentField } from '../../../ui/contract.ts';
import { Honeypot } from '../../../ui/forms/honeypot.tsx';
import { contactPath, type FormName, type TokenResponse, tokenPath } from '../contract.ts';

export { sendMessage } from './send-message.ts';

/** The forms of a site with our own server. A build for a static host uses `static-forms.tsx` instead. */
export const formProps: { method: 'post' | 'dialog'; action?: string } = {
  method: 'post',
  action: contactPath,
};

export const canRetry: boolean = true;

/** A signed token with the time at which the form was opened, for the spam score. Sending works without it. */
export async function fetchFormToken(signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(tokenPath, { signal });
    const body: Partial<TokenResponse> | null = response.ok ? await response.json() : null;
    return isToken(body?.token) ? body.token : undefined;
  } catch {
    return undefined;
  }
}

/** A captive portal may answer with anything, and not every text is valid in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,200}$/.test(value);
}

/** The tab's unsent message, and the honeypot. */
export function HiddenFields({ form }: { form: FormName }): ReactNode {
  return (
    <>
      <input name={unsentField} type="hidden" />
      <Honeypot form={form} />
    </>
  );
}

export function NoScriptContact(): ReactNode {
  return null;
}
