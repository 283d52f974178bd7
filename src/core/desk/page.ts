/** A page of the desk, as the browser gets it: plain JSON. */
export type Page = {
  view: string;
  title: string;
  /** The entry of the navigation that it belongs to. */
  area?: string;
  props: object;
  /** What the last action did, or why it failed. */
  notice?: Notice;
};

/** A page with one of these views; `Pages` has the props of each. */
export type PageOf<Pages> = {
  [Name in keyof Pages]: Omit<Page, 'view' | 'props'> & { view: Name; props: Pages[Name] };
}[keyof Pages];

export type Notice = { kind: 'done' | 'failed'; text: string };

/** In every page. Only a browser that is signed in is told the prefix and the areas. */
export type Frame = { siteName: string; prefix?: string; links?: AreaLink[] };

/** An entry of the navigation: `area` is its path, and what its pages name. */
export type AreaLink = { area: string; text: string };

/** The views that every area may answer with. */
export type SharedPages = { problem: ProblemProps };

export type ProblemProps = {
  text: string;
  link?: { text: string; path: string };
  /** What the owner would have to type again. */
  typed?: string[];
};
