import type { PageSettings } from './page-settings.ts';

/** A page as data: the build and the router iterate over these, and its modules are loaded where it is shown. */
export type Page = {
  /** Also of its script and its picture, and in the page's `data-page`. */
  name: string;
  /** One that ends in `/*` is every address below it. The 404 page has none. */
  paths: readonly string[];
  /** The module with its `Component`, from the feature's folder. */
  component: string;
  /** The module that the build renders instead, where the text is in no script: browsers load the page as a document. */
  document?: string;
  needsServer?: boolean;
  /** Also where the feature is switched off: links in mails that were sent lead to it. */
  staysWhenOff?: boolean;
  /** Missing for pages that search engines are not told of. */
  indexed?: {
    /** The name of its file in content/. */
    content: string;
    illustration: string;
    schemaType?: string;
    isPolicy?: boolean;
    isOff?(settings: PageSettings): boolean;
  };
};

/** What a feature puts into a page of another: the module with the `Component`, from the feature's folder. */
export type Filling = {
  component: string;
  needsServer?: boolean;
  isOff?(settings: PageSettings): boolean;
};

/** What a feature has of the site: `name` is that of its folder. */
export type SitePart = {
  name: string;
  pages?: readonly Page[];
  slots?: Readonly<Record<string, Filling>>;
  /** Other addresses that texts may link to, such as feeds. */
  files?: readonly string[];
  /** Modules that differ between a site with our own server and one on a static host. */
  variants?: Readonly<Record<`site:${string}`, { server: string; static: string }>>;
};

/** As browsers have it. */
export type RoutedPage = Pick<Page, 'name' | 'paths'> & { isDocument?: boolean };
