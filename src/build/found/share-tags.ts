import { escapeHtml } from '../mistake-panel.ts';
import { pictureSize } from './picture-size.ts';

/** What every page that is to be shared says alike. What differs from page to page, the page itself says. */
export function writeShareTags(siteName: string, hasPictures: boolean): string {
  const { width, height } = pictureSize;
  const properties = {
    'og:type': 'website',
    'og:locale': 'en_GB',
    'og:site_name': siteName,
    ...(hasPictures && { 'og:image:width': width, 'og:image:height': height }),
  };
  const tags = Object.entries(properties).map(
    ([name, value]) =>
      `<meta property="${name}" content="${escapeHtml(String(value)).replaceAll('"', '&quot;')}">`,
  );
  const card = hasPictures ? 'summary_large_image' : 'summary';
  return [...tags, `<meta name="twitter:card" content="${card}">`].join('');
}
