import type { ContentFile } from '../content/content-part.ts';
import { strictObject, text, texts } from '../content/fields.ts';

/** The newsletter's frame. The acknowledgement of a message has the same sender and address. */
export const issueMailFile = {
  path: 'emails/newsletter-issue.yaml',
  schema: strictObject({
    ...texts(60, ['sender', 'unsubscribe', 'readOnWeb']),
    ...texts(400, ['reason', 'address']),
    imageLabel: text(30),
  }),
  title: 'Around every newsletter issue',
  group: 'mails',
} satisfies ContentFile;
