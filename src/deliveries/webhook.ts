import { type Clock, systemClock } from '../lib/clock.ts';
import { call, judgeStatus } from './call.ts';
import type { Parcel, Receiver } from './delivery.ts';
import { sign } from './webhook/sign.ts';
import { slackBody } from './webhook/slack.ts';
import { standardBody } from './webhook/standard.ts';
import { teamsBody } from './webhook/teams.ts';

export type WebhookSettings = {
  url: string;
  /** Calls begun per second. */
  perSecond: number;
} & ({ style: 'standard'; secrets: Buffer[] } | { style: 'slack' | 'teams' });

const bodies: Record<WebhookSettings['style'], (parcel: Parcel, isPossiblyTwice: boolean) => unknown> = {
  standard: standardBody,
  slack: slackBody,
  teams: teamsBody,
};

/** Calls an address of the owner's for each parcel: a program that checks our signature, or a chat. */
export function createWebhook(
  settings: WebhookSettings,
  deps: { clock: Clock } = { clock: systemClock },
): Receiver {
  return {
    name: 'webhook',
    // The path of a chat's address is its password.
    place: new URL(settings.url).host,
    concurrency: 2,
    perSecond: settings.perSecond,
    isUpserting: false,
    async deliver(parcel, { isPossiblyTwice, signal }) {
      const body = JSON.stringify(bodies[settings.style](parcel, isPossiblyTwice));
      const signed =
        settings.style === 'standard' ? sign(settings.secrets, parcel.reference, deps.clock.now(), body) : {};
      const headers = { 'content-type': 'application/json', ...signed };
      const answer = await call({ url: settings.url, method: 'POST', headers, body, signal });
      return answer.kind === 'answered' ? judgeStatus(answer, isTaken) : answer;
    },
  };
}

function isTaken({ status }: { status: number }): boolean {
  return status >= 200 && status < 300;
}
