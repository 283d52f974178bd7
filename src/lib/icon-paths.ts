export const iconPaths = {
  tab: '/icon.svg',
  ico: '/favicon.ico',
  touch: '/apple-touch-icon.png',
  small: '/icon-192.png',
  large: '/icon-512.png',
  maskable: '/icon-maskable-512.png',
} as const;
