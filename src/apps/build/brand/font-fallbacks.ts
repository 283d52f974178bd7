import type { FontFile } from '../../../core/content/brand/brand-files.ts';
import { openCanvas, setFont } from '../seo/canvas.ts';

const sample =
  'We test, mend and watch over the systems that a business depends on. Ask for a free audit: a person reads what you ' +
  'write and answers within a day. Every page is public, and none needs an account or a cookie.';

type LocalFont = {
  family: string;
  sources: string[];
  weights: string;
  measuredAt: number;
  sampleWidth: number;
};

/** Fonts of the visitor's system, with the width of the sample in em. */
const localFonts: LocalFont[] = [
  regular('Like Arial', ['Arial', 'Liberation Sans'], 92.58),
  bold('Like Arial', ['Arial Bold', 'Liberation Sans Bold'], 99.19),
  regular('Like Roboto', ['Roboto-Regular'], 93.29),
  bold('Like Roboto', ['Roboto-Bold'], 93.44),
  regular('Like Open Sans', ['OpenSans-Regular', 'OpenSans'], 97.23),
  bold('Like Open Sans', ['OpenSans-Bold'], 102.88),
];

function regular(family: string, sources: string[], sampleWidth: number): LocalFont {
  return { family, sources, weights: '400', measuredAt: 400, sampleWidth };
}

function bold(family: string, sources: string[], sampleWidth: number): LocalFont {
  return { family, sources, weights: '500 700', measuredAt: 600, sampleWidth };
}

export function listFallbacks(): string[] {
  return [...new Set(localFonts.map(({ family }) => family))];
}

/** System fonts with the metrics of the brand's font, so that nothing moves when it arrives. */
export function renderFallbackFaces(files: FontFile[]): string {
  const { context } = openCanvas(1, 1);
  return localFonts
    .map(({ family, sources, weights, measuredAt, sampleWidth }) => {
      setFont(context, { files, weight: measuredAt, size: 1000 });
      const { width, fontBoundingBoxAscent, fontBoundingBoxDescent } = context.measureText(sample);
      const scale = width / 1000 / sampleWidth;
      const percent = (value: number) => `${(value * 100).toFixed(2)}%`;
      return `@font-face {
  font-family: "${family}";
  src: ${sources.map(name => `local("${name}")`).join(', ')};
  font-weight: ${weights};
  size-adjust: ${percent(scale)};
  ascent-override: ${percent(fontBoundingBoxAscent / 1000 / scale)};
  descent-override: ${percent(fontBoundingBoxDescent / 1000 / scale)};
  line-gap-override: 0%;
}`;
    })
    .join('\n');
}
