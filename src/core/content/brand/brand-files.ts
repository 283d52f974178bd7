export type LogoShape = { tag: string; attributes: Record<string, string>; children: LogoShape[] };
export type Logo = { viewBox: string; shape: LogoShape };

export type FontFile = {
  name: string;
  path: string;
  hash: string;
  weights: [min: number, max: number];
  unicodeRange?: string | undefined;
};
export type FontFiles = Record<'text' | 'code', FontFile[]>;

/** What stands beside brand.yaml. */
export type BrandFiles = { logo: Logo; fontFiles: FontFiles };
