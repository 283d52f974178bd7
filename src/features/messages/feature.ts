import type { Core, Feature, StartedFeature } from '../../core/feature.ts';
import { createFloodCheck, floodLimits } from '../../core/http/flood-check.ts';
import { createFormTokens } from '../../core/http/form-tokens.ts';
import type { Receiver, ReceiverType } from '../../core/outbox/delivery.ts';
import type { Job } from '../../core/outbox/job-scheduler.ts';
import { claimAcknowledgement } from './acknowledge-message.ts';
import type { ContactDeps } from './api/contact.ts';
import { endpoints } from './api/endpoints.ts';
import { createRepeatCounter } from './api/repeated-messages.ts';
import { messageCounter } from './counters.ts';
import { createMessageDeliveries } from './deliveries.ts';
import { personalFields } from './message-fields.ts';
import { createMessages, type Messages } from './messages.ts';
import { createOwnerNotices } from './owner-notices.ts';
import { toMessagePayload } from './payloads.ts';
import { receiverSettings, receivers } from './receivers/receivers.ts';
import { watchFlood } from './watch-flood.ts';

export type StartedMessages = StartedFeature &
  ContactDeps & {
    messages: Messages;
    receivers: readonly Receiver[];
    ownerReceivers: readonly Receiver[];
  };

type Replaced = { receivers?: readonly Receiver[]; messages?: Partial<Messages> };

export const messages = createMessagesFeature();

/** The receivers connect to what the settings name. */
export function createMessagesFeature(replaced: Replaced = {}): Feature<StartedMessages> {
  return {
    name: 'messages',
    actions: { inbox: () => import('./actions/actions.ts') },
    settings: receiverSettings,
    endpoints,
    counters: [messageCounter],
    start: core => startMessages(core, replaced),
    receivers,
    personalFields,
    personalData: () => import('./personal-data.ts'),
    desk: async () => (await import('./desk/area.ts')).messageArea,
    checks: async () => (await import('./launch-checks.ts')).messageChecks,
    figures: async () => (await import('./figures.ts')).messageFigures,
  };
}

const maxRemembered = 50_000;

function startMessages(core: Core, replaced: Replaced): StartedMessages {
  const { clock, ids, log, hmac, config, wake, rateLimit, counters, onNotStored, onBusy } = core;
  const messages = { ...createMessages(core.database.group), ...replaced.messages };
  const ownerReceivers =
    replaced.receivers ?? createReceivers(core, messages, ({ isForOwner }) => isForOwner);
  const others = createReceivers(core, messages, ({ isForOwner }) => !isForOwner);
  const started = [...ownerReceivers, ...others];
  const ownerNotices = createOwnerNotices({ ...core, messages });
  return {
    ...{ messages, receivers: started, ownerReceivers },
    receiverNames: started.map(({ name }) => name),
    ...{ clock, ids, log, wake, rateLimit, counters, onNotStored, onBusy },
    repeats: createRepeatCounter({ counts: core.createRateCounts(maxRemembered), clock, hmac, log }),
    isFlood: config.isRateLimited ? createFloodCheck({ messages, clock, log }) : async () => false,
    formTokens: createFormTokens({ hmac, clock }),
    // A replay is recognised by all processes, and after SECRET was changed.
    hashKey: key => core.permanentHmac.sign('idempotency key', key),
    jobs: [watchForFlood(core, messages), ownerNotices.job],
    deliveries: createMessageDeliveries({
      messages,
      claimAcknowledgement: message => claimAcknowledgement(core, message),
    }),
    reportProblem: ownerNotices.reportProblem,
    close() {
      for (const receiver of started) receiver.close?.();
    },
  };
}

function createReceivers(
  core: Core,
  stored: Pick<Messages, 'each'>,
  isWanted: (type: ReceiverType) => boolean | undefined,
): Receiver[] {
  async function* readDelivered(deliveredTo: string) {
    for await (const page of stored.each({ deliveredTo }, 'oldest')) yield page.map(toMessagePayload);
  }
  return receivers.filter(isWanted).flatMap(({ create }) => create(core, readDelivered) ?? []);
}

function watchForFlood(core: Core, messages: Messages): Job {
  const limits = core.config.isRateLimited ? floodLimits : undefined;
  return {
    name: 'watch for a flood',
    everyMs: 5000,
    run: () => watchFlood({ ...core, messages }, limits),
  };
}
