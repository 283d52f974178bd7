/** The fields of a file as they are typed; without them, the saved text is shown. */
export type PreviewRequest = {
  file: string;
  path: string;
  fields?: Record<string, unknown> | undefined;
  /** Where the items of reordered lists came from, as saving gets it. */
  origins?: Record<string, (number | null)[]> | undefined;
};

export type PreviewAnswer = {
  /** The URL of the page; missing where it cannot be shown. */
  frame?: string;
  /** What prevents publishing. While `isStale`, the page shows the last text without errors. */
  problems: string[];
  isStale: boolean;
  pages: { path: string; title: string }[];
};
