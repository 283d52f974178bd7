export type ThemeColours = Record<string, string>;

export type BrandProps = {
  /** As they are written in brand.yaml, by theme and name. */
  colours: Record<string, ThemeColours>;
  /** All other fields of brand.yaml, for the preview. */
  fields: Record<string, unknown>;
  /** Of the file as it was read. */
  hash: string;
  error?: string;
};
