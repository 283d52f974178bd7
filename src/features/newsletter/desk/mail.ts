import type { Context } from 'hono';
import type { DepsOf } from '../../../core/action.ts';
import type { Newsletter } from '../create-newsletter.ts';
import { fillPlaceholders, forceColourScheme } from '../create-newsletter.ts';
import type { ReadableIssue } from '../read-issue-file.ts';
import { countSubscribers } from '../read-subscribers.ts';

/** A mail has inline styles, no scripts and no pictures. Only the desk may show it in a frame. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

type LinkNeeds = { newsletter: Pick<Newsletter, 'links'>; config: { port: number } };
type MailNeeds = LinkNeeds & {
  domainDeps: DepsOf<typeof countSubscribers>;
  newsletter: Pick<Newsletter, 'renderIssue'>;
  config: { mail: { smtp?: object | undefined; to: string } };
};

/** The mail as a document of its own, for a frame with `sandbox`. */
export function answerMail(context: Context, services: LinkNeeds, html: string): Response {
  const scheme = context.req.query('scheme') === 'dark' ? 'dark' : 'light';
  context.header('Content-Security-Policy', policy);
  return context.html(forceColourScheme(fillText(services, html), scheme));
}

export function fillText({ newsletter, config }: LinkNeeds, text: string): string {
  return fillPlaceholders(text, newsletter.links?.site ?? `http://localhost:${config.port}`);
}

/** A mail that can be sent: its preview, and what the forms for it need. `path` is that of the draft or post. */
export async function buildMailProps(services: MailNeeds, path: string, { issue, warnings }: ReadableIssue) {
  const { domainDeps, config, newsletter } = services;
  const { subject, preview } = issue;
  const { confirmed } = await countSubscribers(domainDeps);
  const text = fillText(services, newsletter.renderIssue(issue).text);
  const testTo = config.mail.smtp ? config.mail.to : '';
  return { path, subject, preview, text, testTo, confirmed, warnings };
}
