/** `import { home } from 'content:home'`: what src/apps/build/content-plugin.ts selects for pages. Features add theirs in pages/content.d.ts. */
interface ContentModules {
  brand: import('../core/content/schemas/brand.ts').PageBrand;
  company: import('../core/content/schemas/company.ts').Company;
  settings: Pick<
    import('./page-settings.ts').PageSettings,
    'SITE_URL' | 'CONTACT_ENDPOINT' | 'NEWSLETTER_ENDPOINT' | 'AUDIT'
  >;
  openGraphVersion: string;
}

declare module 'content:*' {
  const modules: ContentModules;
  export = modules;
}
declare module 'illustrations:sprite' {
  export const spriteUrl: string;
  export const viewBoxes: Record<string, string>;
}
interface ImportMetaEnv {
  readonly PAGE_CHUNKS: Readonly<Record<string, string>>;
}
