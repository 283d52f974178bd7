import { type Behaviour, createHttpService } from '../../../tests/fakes/http-service.ts';
import { createSmtpServer, type Fault as SmtpFault } from '../../../tests/fakes/smtp-server.ts';
import type { Arrivals } from '../compare.ts';
import { numberOf } from '../driver.ts';
import type { Fixture } from '../fixture.ts';

/** A receiver that does what it is told, as its faults need it. */
export type FailingReceiver<Failure> = {
  name: 'sheet' | 'mail' | 'webhook';
  /** Settings of the product that lead to it. */
  env: Record<string, string>;
  /** From now on, this share of what it is asked goes wrong in this way. */
  fail(failure: Failure, share: number): void;
  heal(): void;
  /** How often it was asked to take something. */
  asked(): number;
  /** What arrived; nothing where the fixture looks by itself. */
  arrivals(): Arrivals[];
  /** What is wrong with what arrived. */
  findWrongs(): string[];
};

/** A lookup of a row gets the same bad response as the other requests, but no 404: that would say that no row is there. */
export function failingSheet({ sheet, random }: Fixture): FailingReceiver<Behaviour> {
  let asked = 0;
  const saysNoRow = (failure: Behaviour) => failure.kind === 'answer' && failure.status === 404;
  return {
    name: 'sheet',
    env: { SHEET_SUCCESS_BODY: '"created":1' },
    fail(failure, share) {
      sheet.script(({ method }) => {
        asked += Number(method === 'POST');
        const fails = random.chance(share) && (method === 'POST' || !saysNoRow(failure));
        return fails ? failure : { kind: 'work' };
      });
    },
    heal: () => sheet.script([]),
    asked: () => asked,
    arrivals: () => [],
    findWrongs: () => [],
  };
}

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** It cannot be asked; what arrives again must carry the same id. */
export async function failingWebhook(fixture: Fixture): Promise<FailingReceiver<Behaviour>> {
  const numbers: number[] = [];
  const ids = new Map<number, Set<string>>();
  let asked = 0;
  const service = await createHttpService(({ body, headers }) => {
    const { data } = JSON.parse(body) as { data: { message?: string } };
    const number = numberOf(fixture.run, data.message ?? '');
    if (number !== undefined) {
      numbers.push(number);
      ids.set(number, (ids.get(number) ?? new Set()).add(String(headers['webhook-id'])));
    }
    return { status: 200 };
  });
  fixture.defer(() => void service[Symbol.asyncDispose]());
  return {
    name: 'webhook',
    env: { WEBHOOK_URL: service.url, WEBHOOK_SECRET: secret, WEBHOOK_RATE: '100' },
    fail(failure, share) {
      service.script(() => {
        asked += 1;
        return fixture.random.chance(share) ? failure : { kind: 'work' };
      });
    },
    heal: () => service.script([]),
    asked: () => asked,
    arrivals: () => [{ receiver: 'webhook', canBeAsked: false, numbers }],
    findWrongs: () =>
      [...ids]
        .filter(([, { size }]) => size > 1)
        .map(([number, { size }]) => `${number} came to the webhook under ${size} ids`),
  };
}

/** A mail server cannot be asked, either. */
export async function failingMail(fixture: Fixture): Promise<FailingReceiver<SmtpFault>> {
  const login = { user: 'owner', password: 'password' };
  const smtp = await createSmtpServer({ login });
  fixture.defer(() => void smtp[Symbol.asyncDispose]());
  const numberIn = (text: string) =>
    numberOf(fixture.run, /Message number \d+ of run \S+/.exec(text)?.[0] ?? '');
  return {
    name: 'mail',
    env: { SMTP_URL: smtp.url, NOTIFY_EMAIL: 'owner@example.com' },
    fail(failure, share) {
      const most = 10_000;
      smtp.script(
        ...Array.from({ length: most }, () => (fixture.random.chance(share) ? failure : ('work' as const))),
      );
    },
    heal: () => smtp.script(),
    asked: () => smtp.commands.filter(line => line.startsWith('EHLO')).length,
    arrivals() {
      const numbers = smtp.mails.map(({ text }) => numberIn(text)).filter(number => number !== undefined);
      return [{ receiver: 'mail', canBeAsked: false, numbers }];
    },
    findWrongs() {
      const byNumber = Map.groupBy(smtp.mails, ({ text }) => numberIn(text));
      return [...byNumber]
        .filter(([number]) => number !== undefined)
        .filter(([, mails]) => new Set(mails.map(({ header }) => header('Message-ID'))).size > 1)
        .map(([number]) => `${number} came by mail under several ids`);
    },
  };
}
