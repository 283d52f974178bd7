type Content = import('../content/schemas/all-schemas.ts').Content;
type PagePolicy = import('../content/select-policy.ts').PagePolicy;

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
  const sheet: import('../content/sample-excerpts.ts').SampleExcerpts['sheet'];
  export default sheet;
}
declare module 'content:sample/finding' {
  const finding: import('../content/sample-excerpts.ts').SampleExcerpts['finding'];
  export default finding;
}
declare module 'content:sample/summary' {
  const summary: import('../content/sample-excerpts.ts').SampleExcerpts['summary'];
  export default summary;
}
declare module 'content:sample/retest' {
  const retest: import('../content/sample-excerpts.ts').SampleExcerpts['retest'];
  export default retest;
}
declare module 'content:sample/exposure' {
  const exposure: import('../content/sample-excerpts.ts').SampleExcerpts['exposure'];
  export default exposure;
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
declare module 'content:newsletter-feedback' {
  const feedback: Content['newsletter']['feedback'];
  export default feedback;
}
declare module 'content:consent-texts' {
  const consentTexts: Record<import('../api/contract.ts').NewsletterFormName, string>;
  export default consentTexts;
}
declare module 'content:privacy' {
  const privacy: PagePolicy;
  export default privacy;
}
declare module 'content:terms' {
  const terms: PagePolicy;
  export default terms;
}
declare module 'content:security' {
  const security: PagePolicy;
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
  const about: PagePolicy;
  export default about;
}
interface ImportMetaEnv {
  readonly PAGE_CHUNKS: Readonly<Record<string, string>>;
}
declare module 'content:settings' {
  const settings: Pick<
    import('./page-settings.ts').PageSettings,
    'SITE_URL' | 'CONTACT_ENDPOINT' | 'NEWSLETTER_ENDPOINT' | 'AUDIT'
  >;
  export default settings;
}
declare module 'content:owner-facts' {
  const facts: import('../content/owner-facts.ts').OwnerFact[];
  export default facts;
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
