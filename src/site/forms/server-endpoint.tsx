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

/** The forms of a site with our own server. A build for a static host uses `static.tsx` in place of this file. */
export const formProps: { method: 'post' | 'dialog'; action?: string } = {
  method: 'post',
  action: contactPath,
};

/** Our server recognises a message by its key, so the page may retry by itself. */
export const canRetry: boolean = true;

/** The signed time at which a form was opened, for the spam score. A form without one is sent all the same. */
export async function fetchFormToken(signal: AbortSignal): Promise<string | undefined> {
  try {
    const response = await fetch(tokenPath, { signal });
    const answer: Partial<TokenResponse> | null = response.ok ? await response.json() : null;
    return isToken(answer?.token) ? answer.token : undefined;
  } catch {
    return undefined;
  }
}

/** A captive portal may answer anything, and not every text may be sent in a header. */
function isToken(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,200}$/.test(value);
}

/** The message that waits in this tab, and the honeypot: explained to screen readers, ignored by password managers. */
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

/** Shown in place of a form where scripts do not run. Here the form itself works. */
export function NoScriptContact(): ReactNode {
  return null;
}
