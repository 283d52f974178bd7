import type { BuildConfig } from './page-settings.ts';

/** Endpoints that no page of ours can post to, whatever their owner sets: better told now than by a lost message. */
export function findUnfitEndpoints({ contactEndpoint, newsletterEndpoint }: BuildConfig): string[] {
  const named = { CONTACT_ENDPOINT: contactEndpoint, NEWSLETTER_ENDPOINT: newsletterEndpoint };
  return Object.entries(named)
    .filter(([, endpoint]) => endpoint && new URL(endpoint).hostname === 'script.google.com')
    .map(
      ([name]) =>
        `${name} is a Google Apps Script: it permits no JSON from another site and answers from an origin that the ` +
        'pages may not reach. Use it as SHEET_URL with the server, or another service here.',
    );
}
