/** Where the owner mends something: a page of the desk, or a place elsewhere that has no link. */
export type Place = { text: string; path?: string };

export const places = {
  words: (file: string, field: string, text: string): Place => ({
    text,
    path: `/words/edit?file=${encodeURIComponent(file)}#field-${field}`,
  }),
  setting: (name: string): Place => ({ text: `The setting ${name}`, path: `/health/settings/${name}` }),
  publish: { text: 'Publish the site', path: '/words/publish' },
  system: { text: 'This machine', path: '/health#system' },
  receivers: { text: 'Receivers', path: '/health#receivers' },
  domain: { text: 'Where your domain is managed' },
  server: { text: 'On the server' },
} as const;
