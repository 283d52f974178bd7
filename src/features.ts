import type { Feature } from './core/feature.ts';
import type { CounterType } from './core/http/request-counters.ts';
import type { ReceiverType } from './core/outbox/delivery.ts';
import { audit } from './features/audit/feature.ts';
import { blog } from './features/blog/feature.ts';
import { messages } from './features/messages/feature.ts';
import { newsletter } from './features/newsletter/feature.ts';
import { privacy } from './features/privacy/feature.ts';
import { sampleReport } from './features/sample-report/feature.ts';
import { site } from './features/site/feature.ts';

/** The features of this site, in the order in which they start and their parts are listed. */
export const features: readonly Feature[] = [site, messages, newsletter, blog, audit, sampleReport, privacy];

/** The tables of receivers, as one. */
export const receiverTypes: readonly ReceiverType[] = features.flatMap(({ receivers = [] }) => receivers);

export const counters: readonly CounterType[] = features.flatMap(({ counters = [] }) => counters);

/** As the owner calls it. */
export function getReceiverLabel(name: string): string {
  return receiverTypes.find(type => type.name === name)?.label ?? name;
}
