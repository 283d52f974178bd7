import type { Clock } from '../lib/clock.ts';
import type { Payload, Receiver } from './delivery.ts';
import { call, judgeStatus } from './http-call.ts';
import { slackBody, teamsBody } from './webhook/chat-lines.ts';
import { sign, standardBody } from './webhook/standard.ts';

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

export function createWebhook(settings: WebhookSettings, { clock }: { clock: Clock }): Receiver {
  return {
    name: 'webhook',
    // The path of a chat's address is its password.
    place: new URL(settings.url).host,
    concurrency: 2,
    perSecond: settings.perSecond,
    isUpserting: false,
    async deliver(payload, { isPossibleDuplicate, signal }) {
      const body = JSON.stringify(bodies[settings.style](payload, isPossibleDuplicate));
      const signed =
        settings.style === 'standard' ? sign(settings.secrets, payload.reference, clock.now(), body) : {};
      const headers = { 'content-type': 'application/json', ...signed };
      const answer = await call({ url: settings.url, method: 'POST', headers, body, signal });
      if (answer.kind === 'failed') return answer;
      return judgeStatus(answer, ({ status }) => status >= 200 && status < 300);
    },
  };
}
