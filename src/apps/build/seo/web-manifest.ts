import type { Content } from '../../../features.content.ts';
import { iconPaths } from '../../../lib/icon-paths.ts';

export const manifestPath = '/site.webmanifest';

export function formatManifest({ brand, home }: Content, colour: string): string {
  const icon = (src: string, size: number, purpose?: string) => ({
    src,
    sizes: `${size}x${size}`,
    type: 'image/png',
    ...(purpose && { purpose }),
  });
  const manifest = {
    id: '/',
    name: brand.name,
    short_name: brand.logoText,
    description: home.description,
    lang: 'en-GB',
    start_url: '/',
    display: 'browser',
    background_color: colour,
    theme_color: colour,
    icons: [
      icon(iconPaths.small, 192),
      icon(iconPaths.large, 512),
      icon(iconPaths.maskable, 512, 'maskable'),
    ],
  };
  return `${JSON.stringify(manifest, null, 1)}\n`;
}
