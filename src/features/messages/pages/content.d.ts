interface ContentModules {
  contact: import('valibot').InferOutput<typeof import('../schemas/contact.ts').contact>;
}
