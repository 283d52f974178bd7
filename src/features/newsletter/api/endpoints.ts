import type { Endpoint } from '../../../core/http/endpoint.ts';
import type { ConfirmDeps } from '../confirm-subscriber.ts';
import { bouncesPath, newsletterPaths, signUpPath } from '../contract.ts';
import type { UnsubscribeDeps } from '../unsubscribe.ts';
import { type BouncesDeps, postBounces } from './newsletter-bounces.ts';
import { postConfirm, postUnsubscribe } from './newsletter-links.ts';
import { type NewsletterDeps, postNewsletter } from './newsletter-sign-up.ts';

export type EndpointDeps = NewsletterDeps & ConfirmDeps & UnsubscribeDeps & BouncesDeps;

/** Confirming and unsubscribing are links in mails, and bounces of mails, that were sent. */
export const endpoints: readonly Endpoint<EndpointDeps>[] = [
  {
    path: signUpPath,
    kind: 'newsletter',
    errorPages: [newsletterPaths.invalid],
    post: postNewsletter,
  },
  {
    path: bouncesPath,
    kind: 'bounces',
    isCsrfExempt: true,
    staysWhenOff: true,
    isOffered: ({ bounceSecrets }) => bounceSecrets.length > 0,
    post: postBounces,
  },
  {
    path: newsletterPaths.confirm,
    kind: 'newsletter-link',
    hasPage: true,
    isCsrfExempt: true,
    staysWhenOff: true,
    errorPages: [newsletterPaths.expired, newsletterPaths.unavailable],
    post: postConfirm,
  },
  {
    path: newsletterPaths.unsubscribe,
    kind: 'newsletter-link',
    hasPage: true,
    isCsrfExempt: true,
    staysWhenOff: true,
    errorPages: [newsletterPaths.unsubscribeFailed, newsletterPaths.unavailable],
    post: postUnsubscribe,
  },
];
