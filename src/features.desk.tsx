import { postViews } from './features/blog/desk.tsx';
import { messageViews } from './features/messages/desk.tsx';
import { newsletterViews } from './features/newsletter/desk.tsx';
import { privacyViews } from './features/privacy/desk.tsx';
import type { Views } from './ui/desk/views.ts';

/** The views of the features at the owner's desk: Node runs no .tsx, so that feature.ts cannot name them. */
export const featureViews: readonly Views[] = [messageViews, newsletterViews, postViews, privacyViews];
