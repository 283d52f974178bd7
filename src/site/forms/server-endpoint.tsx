import site from 'content:site';
import type { ReactNode } from 'react';
import {
  contactPath,
  type FormName,
  honeypotField,
  type TokenResponse,
  tokenPath,
  unsentField,
} from '../../api/contract.ts';

export { NewsletterForm as NewsletterSignup } from './newsletter-form.tsx';
export { sendMessage } from './send-message.ts';

/** The forms of a site with our own server. A build for a static host uses `static-endpoint.tsx` instead. */
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

/** The tab's unsent message, and the honeypot: explained to screen readers, ignored by password managers. */
export function HiddenFields({ form }: { form: FormName }): ReactNode {
  const id = `${form}-${honeypotField}`;
  return (
    <>
      <input name={unsentField} type="hidden" />
      <div className="sr-only">
        <label htmlFor={id}>{site.leaveEmpty}</label>
        <input
          autoComplete="off"
          data-1p-ignore
          data-bwignore
          data-form-type="other"
          data-lpignore="true"
          id={id}
          name={honeypotField}
          tabIndex={-1}
          type="text"
        />
      </div>
    </>
  );
}

export function NoScriptContact(): ReactNode {
  return null;
}
