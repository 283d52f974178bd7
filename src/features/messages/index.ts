export { messagesContent } from './content.ts';
export { formLabels } from './schemas/contact.ts';
