interface ContentModules {
  newsletter: import('valibot').InferOutput<typeof import('../schemas/newsletter.ts').newsletter>;
  newsletterFeedback: ContentModules['newsletter']['feedback'];
  consentTexts: Record<import('../contract.ts').NewsletterFormName, string>;
}
