import type { PageView } from './page-view.ts';

/** What a feature does when the site is built, beside its pages. `name` is that of its folder. */
export type BuildPart<Content> = {
  name: string;
  /** `content:NAME`: what a page imports where the whole file would be too much. */
  modules?: Readonly<Record<string, (content: Content, settings: Settings) => unknown>>;
  /** Beside its pages; feeds only where the site's own address is known. */
  listFiles?(views: readonly PageView[], content: Content, siteUrl: string | undefined): GeneratedFile[];
  /** Modules that the server runs, from the feature's folder, by the name of the bundle; and data beside them. */
  serverModules?: Readonly<Record<string, string>>;
  listServerData?(content: Content): Record<string, unknown>;
};

/** Those of the pages. */
type Settings = Readonly<Record<string, string>>;

export type GeneratedFile = {
  path: string;
  kind?: 'feed' | 'picture';
  make(): Promise<Buffer | string> | Buffer | string;
};
