import type { DeskArea } from '../../../core/desk/desk-area.ts';
import type { PrivacyDeskNeeds } from './needs.ts';
import { addPrivacyRoutes } from './routes.ts';

export const privacyArea: DeskArea<PrivacyDeskNeeds> = {
  link: { area: 'privacy', text: 'Privacy requests' },
  isLast: true,
  addRoutes: addPrivacyRoutes,
};
