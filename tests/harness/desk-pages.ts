import type { OwnPages } from '../../src/apps/desk/pages.ts';
import type { SharedPages } from '../../src/core/desk/page.ts';
import type { PostPages } from '../../src/features/blog/desk/props.ts';
import type { MessagePages } from '../../src/features/messages/desk/props.ts';
import type { NewsletterPages } from '../../src/features/newsletter/desk/props.ts';
import type { PrivacyPages } from '../../src/features/privacy/desk/props.ts';

/** The props of every view. */
export type Pages = SharedPages & OwnPages & MessagePages & NewsletterPages & PostPages & PrivacyPages;
export type ViewName = keyof Pages;
