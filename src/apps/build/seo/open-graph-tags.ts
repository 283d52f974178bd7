import { openGraphSize, type PageView } from '../../../core/content/page-view.ts';
import { escapeHtml } from '../../../lib/escape-html.ts';

export function renderOpenGraphTags(
  siteName: string,
  hasImages: boolean,
  { openGraph }: Partial<PageView> = {},
): string {
  const { width, height } = openGraphSize;
  const properties: [name: string, value: string | number][] = [
    ['og:type', openGraph?.type ?? 'website'],
    ['og:locale', 'en_GB'],
    ['og:site_name', siteName],
  ];
  if (hasImages) properties.push(['og:image:width', width], ['og:image:height', height]);
  properties.push(...(openGraph?.tags ?? []));
  const tags = properties.map(
    ([name, value]) => `<meta property="${name}" content="${escapeHtml(String(value))}">`,
  );
  const card = hasImages ? 'summary_large_image' : 'summary';
  return [...tags, `<meta name="twitter:card" content="${card}">`].join('');
}
