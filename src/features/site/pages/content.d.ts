interface ContentModules {
  home: import('valibot').InferOutput<typeof import('../schemas/home.ts').home>;
  services: import('valibot').InferOutput<typeof import('../schemas/services.ts').services>;
  serviceSummaries: Pick<ContentModules['services']['services'][number], 'id' | 'name' | 'summary'>[];
  faq: import('valibot').InferOutput<typeof import('../schemas/faq.ts').faq>;
  site: import('valibot').InferOutput<typeof import('../schemas/site.ts').site>;
  static: import('valibot').InferOutput<typeof import('../schemas/site.ts').staticSite>;
  seo: import('valibot').InferOutput<typeof import('../schemas/site.ts').seo>;
  privacy: import('../../../core/content/select-policy.ts').PagePolicy;
  terms: import('../../../core/content/select-policy.ts').PagePolicy;
  security: import('../../../core/content/select-policy.ts').PagePolicy;
  ownerFacts: import('../owner-facts.ts').OwnerFact[];
}
