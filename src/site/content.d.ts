type Content = import('../content/schemas/all-schemas.ts').Content;

declare module 'content:brand' {
  const brand: import('../content/schemas/brand.ts').PageBrand;
  export default brand;
}
declare module 'content:company' {
  const company: Content['company'];
  export default company;
}
declare module 'content:site' {
  const site: Content['site'];
  export default site;
}
declare module 'content:static' {
  const texts: Content['static'];
  export default texts;
}
declare module 'content:home' {
  const home: Content['home'];
  export default home;
}
declare module 'content:sample/sheet' {
  const sheet: Content['sample']['sheet'];
  export default sheet;
}
declare module 'content:sample/finding' {
  const finding: Content['sample']['finding'];
  export default finding;
}
declare module 'content:sample/summary' {
  const summary: Content['sample']['summary'];
  export default summary;
}
declare module 'content:sample/retest' {
  const retest: Content['sample']['retest'];
  export default retest;
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
declare module 'content:newsletter-feedback' {
  const feedback: Content['newsletter']['feedback'];
  export default feedback;
}
declare module 'content:consent-texts' {
  const consentTexts: Record<import('../api/contract.ts').NewsletterFormName, string>;
  export default consentTexts;
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
declare module 'content:audit' {
  const audit: Content['audit'];
  export default audit;
}
declare module 'content:audit-page' {
  const page: import('../content/schemas/audit.ts').AuditPage;
  export default page;
}
declare module 'content:audit-sample' {
  const sample: import('../api/contract.ts').AuditReport;
  export default sample;
}
declare module 'content:audit-about' {
  const about: Content['audit-about'];
  export default about;
}
interface ImportMetaEnv {
  readonly PAGE_CHUNKS: string;
}
declare module 'content:settings' {
  const settings: import('./page-settings.ts').PageSettings;
  export default settings;
}
declare module 'content:service-summaries' {
  const summaries: Pick<Content['services']['services'][number], 'id' | 'name' | 'summary'>[];
  export default summaries;
}
declare module 'illustrations:sprite' {
  export const spriteUrl: string;
  export const viewBoxes: Record<string, string>;
}
declare module 'content:open-graph-version' {
  const version: string;
  export default version;
}
