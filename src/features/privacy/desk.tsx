import type { ViewsOf } from '../../ui/desk/views.ts';
import { PrivacyCorrect } from './desk/correct.tsx';
import { PrivacyErase } from './desk/erase.tsx';
import { PrivacyOutcome } from './desk/outcome.tsx';
import { PrivacyPerson } from './desk/person.tsx';
import type { PrivacyPages } from './desk/props.ts';
import { PrivacyStart } from './desk/start.tsx';

export const privacyViews: ViewsOf<PrivacyPages> = {
  'privacy/start': PrivacyStart,
  'privacy/person': PrivacyPerson,
  'privacy/correct': PrivacyCorrect,
  'privacy/erase': PrivacyErase,
  'privacy/outcome': PrivacyOutcome,
};
