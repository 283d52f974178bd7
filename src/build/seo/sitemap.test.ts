import { expect, test } from 'vitest';
import type { IndexedPage } from './indexed-pages.ts';
import { writeRobots, writeSitemap } from './sitemap.ts';

const page = { name: 'faq', path: '/faq' } as IndexedPage;

test('a page has a modification date only if its content has one', () => {
  const dated = { ...page, path: '/privacy', updated: '2026-11-15' };
  const sitemap = writeSitemap([page, dated], 'https://a.example');
  expect(sitemap).toContain('<url><loc>https://a.example/faq</loc></url>');
  expect(sitemap).toContain('<url><loc>https://a.example/privacy</loc><lastmod>2026-11-15</lastmod></url>');
});

test('robots.txt names no sitemap without SITE_URL', () => {
  expect(writeRobots(undefined)).toBe('User-agent: *\nDisallow: /api/\n');
});
