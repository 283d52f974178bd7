/** The languages that code in a post may name, as the build can tell their parts. */
export const languages = [
  'bash',
  'c',
  'css',
  'diff',
  'dockerfile',
  'go',
  'html',
  'http',
  'ini',
  'java',
  'javascript',
  'json',
  'nginx',
  'php',
  'powershell',
  'python',
  'rust',
  'sql',
  'text',
  'toml',
  'typescript',
  'xml',
  'yaml',
] as const;

export type Language = (typeof languages)[number];

/** What they are also called. */
const others: Record<string, Language> = {
  console: 'bash',
  js: 'javascript',
  py: 'python',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  yml: 'yaml',
};

export function findLanguage(name: string): Language | undefined {
  const plain = name.toLowerCase();
  return (
    languages.find(language => language === plain) ??
    (Object.hasOwn(others, plain) ? others[plain] : undefined)
  );
}
