import type { Clock } from '../../lib/clock.ts';
import type { Payload, Receiver } from '../delivery.ts';
import { classifyResponse, sendRequest } from '../http-client.ts';
import { slackBody, teamsBody } from './chat-webhook.ts';
import { sign, standardBody } from './standard-webhook.ts';

export type WebhookSettings = {
  url: string;
  perSecond: number;
} & ({ style: 'standard'; secrets: Buffer[] } | { style: 'slack' | 'teams' });

const bodies: Record<WebhookSettings['style'], (payload: Payload, isPossibleDuplicate: boolean) => unknown> =
  {
    standard: standardBody,
    slack: slackBody,
    teams: teamsBody,
  };

export function createWebhookReceiver(settings: WebhookSettings, { clock }: { clock: Clock }): Receiver {
  return {
    name: 'webhook',
    // The path of a chat's address is its password.
    destination: new URL(settings.url).host,
    concurrency: 2,
    perSecond: settings.perSecond,
    isIdempotent: false,
    async deliver(payload, { isPossibleDuplicate, signal }) {
      const body = JSON.stringify(bodies[settings.style](payload, isPossibleDuplicate));
      const signed =
        settings.style === 'standard' ? sign(settings.secrets, payload.reference, clock.now(), body) : {};
      const headers = { 'content-type': 'application/json', ...signed };
      const answer = await sendRequest({ url: settings.url, method: 'POST', headers, body, signal });
      if (answer.kind === 'retry') return answer;
      return classifyResponse(answer, ({ status }) => status >= 200 && status < 300);
    },
  };
}
