export { siteContent } from './content.ts';
