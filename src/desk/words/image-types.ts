export type ImageEntry = {
  /** Below content/. */
  file: string;
  url: string;
  width: number;
  height: number;
  size: string;
  /** The posts that show it. */
  usedIn: string[];
};

export type ImagesProps = {
  images: ImageEntry[];
  logoUrl: string;
  fonts: string[];
  /** Of the picture that was just added, to be pasted into a post. */
  markdown?: string;
  /** Which form was refused, and why. */
  refused?: { kind: string; reason: string };
};

/** What adding a picture from within the editor of a post answers. */
export type ImageAnswer = { markdown: string } | { reason: string };
