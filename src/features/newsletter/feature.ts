import type { Core, Feature, StartedFeature } from '../../core/feature.ts';
import { loadIssueSources } from '../../core/issue-source.ts';
import { getRegistrableDomain } from '../../core/network/parse-domain.ts';
import type { Job } from '../../core/outbox/job-scheduler.ts';
import { errorMessage } from '../../lib/error-message.ts';
import { type EndpointDeps, endpoints } from './api/endpoints.ts';
import { type ConsentTexts, createConsentTexts } from './consent-texts.ts';
import { newsletterCounter } from './counters.ts';
import { createNewsletter, type Newsletter } from './create-newsletter.ts';
import { createNewsletterDeliveries, droppedByRestore } from './deliveries.ts';
import { createNewsletterIssues, type NewsletterIssues } from './newsletter-issues.ts';
import { newsletterSettings } from './newsletter-settings.ts';
import { processSignUps } from './process-sign-ups.ts';
import { receiverTypes } from './receiver-types.ts';
import { createSignUps, type SignUps } from './sign-ups.ts';
import { createSubscribers, type Subscribers } from './subscribers.ts';

type Queries = {
  signUps: SignUps;
  subscribers: Subscribers;
  consentTexts: ConsentTexts;
  newsletterIssues: NewsletterIssues;
};

export type StartedNewsletter = StartedFeature & EndpointDeps & Queries & { newsletter: Newsletter };

export const newsletter = createNewsletterFeature();

export function createNewsletterFeature(replaced: Partial<Queries> = {}): Feature<StartedNewsletter> {
  return {
    name: 'newsletter',
    actions: {
      newsletter: async (features, listPagePaths) => {
        const { createActions } = await import('./actions/actions.ts');
        return createActions({ sources: await loadIssueSources(features), listPagePaths });
      },
    },
    settings: { Newsletter: newsletterSettings },
    endpoints,
    counters: [newsletterCounter],
    start: core => startNewsletter(core, replaced),
    receivers: Object.values(receiverTypes),
    droppedByRestore,
    personalData: () => import('./personal-data.ts'),
    async desk(features, listPagePaths) {
      const { createNewsletterArea } = await import('./desk/area.ts');
      return createNewsletterArea({ sources: await loadIssueSources(features), listPagePaths });
    },
    figures: async () => (await import('./figures.ts')).newsletterFigures,
  };
}

function startNewsletter(core: Core, replaced: Partial<Queries>): StartedNewsletter {
  const { clock, ids, log, wake, rateLimit, counters, onNotStored, onBusy } = core;
  const { db, group } = core.database;
  const queries: Queries = {
    signUps: createSignUps(group),
    subscribers: createSubscribers(db),
    consentTexts: createConsentTexts(db),
    newsletterIssues: createNewsletterIssues(db),
    ...replaced,
  };
  const newsletter = createNewsletter(core, queries.consentTexts);
  const { keys: newsletterKeys, resolveConsentText } = newsletter;
  return {
    ...queries,
    ...{ newsletter, newsletterKeys, resolveConsentText },
    ...{ clock, ids, log, wake, rateLimit, counters, onNotStored, onBusy },
    bounceSecrets: core.readSettings(newsletterSettings).bounceSecrets,
    forOwner: {
      newsletter,
      domainDeps: { ...queries, issues: queries.newsletterIssues, newsletterKeys, resolveConsentText },
    },
    jobs: createJobs(core, queries, newsletter),
    deliveries: createNewsletterDeliveries({ ...queries, clock, ids, log }),
    receivers: [newsletter.subscriberMail.confirmations, newsletter.subscriberMail.newsletter],
    async mayMailTo(address) {
      const subscriber = await queries.subscribers.get(newsletterKeys.subscriberPseudonym(address));
      return subscriber?.state !== 'suppressed';
    },
    prepare: () => checkTexts(core, newsletter),
    close: () => newsletter.subscriberMail.close(),
  };
}

function createJobs(core: Core, queries: Queries, { keys: newsletterKeys }: Newsletter): Job[] {
  const { clock, ids, notifyOwner, wake } = core;
  const { maxPerHour } = core.readSettings(newsletterSettings);
  return [
    {
      name: 'process sign-ups',
      everyMs: 5000,
      wakeDelayMs: 1000,
      run: () =>
        processSignUps({
          ...queries,
          ...{ clock, ids, notifyOwner, maxPerHour, newsletterKeys, getRegistrableDomain, wake },
        }),
    },
  ];
}

function checkTexts({ log }: Core, { assertTextsReadable, links }: Newsletter): void {
  try {
    assertTextsReadable();
  } catch (error) {
    // An earlier version made the build. Pages and messages do not need these texts.
    log.error('newsletter texts not readable', {
      reason: errorMessage(error),
      fix: 'run npm run publish-site',
    });
  }
  if (!links)
    log.warn('SITE_URL not set', { reason: 'subscriber mail waits until its links have an address' });
}
