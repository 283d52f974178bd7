/** Each file of content/, checked and turned into data at build. */
type Content = import('../content/schemas.ts').Content;

declare module 'content:company' {
  const company: Content['company'];
  export default company;
}
declare module 'content:site' {
  const site: Content['site'];
  export default site;
}
declare module 'content:static' {
  const words: Content['static'];
  export default words;
}
declare module 'content:home' {
  const home: Content['home'];
  export default home;
}
declare module 'content:sample' {
  const sample: Content['sample'];
  export default sample;
}
declare module 'content:services' {
  const services: Content['services'];
  export default services;
}
declare module 'content:contact' {
  const contact: Content['contact'];
  export default contact;
}
declare module 'content:faq' {
  const faq: Content['faq'];
  export default faq;
}
declare module 'content:blog' {
  const blog: Content['blog'];
  export default blog;
}
declare module 'content:newsletter' {
  const newsletter: Content['newsletter'];
  export default newsletter;
}
/** What the boxes answer, without the words of the newsletter's own pages. */
declare module 'content:newsletter-answers' {
  const answers: Content['newsletter']['answers'];
  export default answers;
}
/** The ids of the words under the boxes. */
declare module 'content:wordings' {
  const wordings: Record<import('../api/contract.ts').NewsletterForm, string>;
  export default wordings;
}
declare module 'content:privacy' {
  const privacy: Content['privacy'];
  export default privacy;
}
declare module 'content:terms' {
  const terms: Content['terms'];
  export default terms;
}
declare module 'content:security' {
  const security: Content['security'];
  export default security;
}
/** Whether the build is for a host without a server. */
interface ImportMetaEnv {
  readonly IS_STATIC: boolean;
  /** Where each page's chunk is, as JSON: in React's own chunk, because only React leads from page to page. */
  readonly PAGE_CHUNKS: string;
  /** Whether pages tell how often they are shown. */
  readonly COUNTS_VIEWS: boolean;
}
/** The settings that the pages show. */
declare module 'content:settings' {
  const settings: import('./page-settings.ts').PageSettings;
  export default settings;
}
/** The services without their long descriptions, for pages that only name them. */
declare module 'content:service-summaries' {
  const summaries: Pick<Content['services']['services'][number], 'id' | 'name' | 'summary'>[];
  export default summaries;
}
/** The pictures of src/site/art in one file: where it is, and the box of each. */
declare module 'art:sprite' {
  export const address: string;
  export const boxes: Record<string, string>;
}
/** The pictures that pages are shared with: another version for other pictures. */
declare module 'found:pictures' {
  export const version: string;
}
