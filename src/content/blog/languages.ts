/** The languages that code in a post may name, as the build can tell their parts. */
export const languages = [
  'bash',
  'css',
  'diff',
  'dockerfile',
  'go',
  'html',
  'http',
  'ini',
  'javascript',
  'json',
  'nginx',
  'powershell',
  'python',
  'sql',
  'text',
  'typescript',
  'xml',
  'yaml',
] as const;

export type Language = (typeof languages)[number];
