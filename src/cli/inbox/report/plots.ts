import type { Plot } from './plot.ts';
import { byService } from './plots/by-service.ts';
import { campaigns } from './plots/campaigns.ts';
import { deadDeliveries } from './plots/dead-deliveries.ts';
import { messagesPerWeek } from './plots/messages-per-week.ts';
import { newsletterGrowth } from './plots/newsletter-growth.ts';
import { shareQuarantined } from './plots/share-quarantined.ts';
import { timeToReceivers } from './plots/time-to-receivers.ts';
import { viewsByPage } from './plots/views-by-page.ts';
import { viewsByReferrer } from './plots/views-by-referrer.ts';
import { viewsPerWeek } from './plots/views-per-week.ts';

/** In the order of the page. Another plot is another file, and a line here. */
export const plots: readonly Plot[] = [
  messagesPerWeek,
  byService,
  shareQuarantined,
  timeToReceivers,
  newsletterGrowth,
  deadDeliveries,
  viewsPerWeek,
  viewsByPage,
  viewsByReferrer,
  campaigns,
];
