type Content = import('../core/content/schemas/all-schemas.ts').Content;
type PagePolicy = import('../core/content/select-policy.ts').PagePolicy;
type SampleExcerpts = import('../features/sample-report/sample-excerpts.ts').SampleExcerpts;

/** What src/apps/build/content-plugin.ts selects for pages. */
type Selected = SampleExcerpts & {
  brand: import('../core/content/schemas/brand.ts').PageBrand;
  newsletterFeedback: Content['newsletter']['feedback'];
  consentTexts: Record<import('../features/newsletter/contract.ts').NewsletterFormName, string>;
  privacy: PagePolicy;
  terms: PagePolicy;
  security: PagePolicy;
  auditAbout: PagePolicy;
  auditPage: import('../features/audit/schemas/audit.ts').AuditPage;
  auditSample: import('../features/audit/contract.ts').AuditReport;
  settings: Pick<
    import('./page-settings.ts').PageSettings,
    'SITE_URL' | 'CONTACT_ENDPOINT' | 'NEWSLETTER_ENDPOINT' | 'AUDIT'
  >;
  ownerFacts: import('../features/site/owner-facts.ts').OwnerFact[];
  serviceSummaries: Pick<Content['services']['services'][number], 'id' | 'name' | 'summary'>[];
  openGraphVersion: string;
};

/** `import { home } from 'content:home'` */
declare module 'content:*' {
  const modules: Selected & Omit<Content, keyof Selected>;
  export = modules;
}
declare module 'illustrations:sprite' {
  export const spriteUrl: string;
  export const viewBoxes: Record<string, string>;
}
interface ImportMetaEnv {
  readonly PAGE_CHUNKS: Readonly<Record<string, string>>;
}
