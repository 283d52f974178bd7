const names =
  'bash c css diff dockerfile go html http ini java javascript json nginx php powershell python rust sql text toml typescript xml yaml';

export const languages = names.split(' ');

const aliases: Record<string, string> = {
  console: 'bash',
  js: 'javascript',
  py: 'python',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  yml: 'yaml',
};

export function findLanguage(name: string): string | undefined {
  const lowerCase = name.toLowerCase();
  return (
    languages.find(language => language === lowerCase) ??
    (Object.hasOwn(aliases, lowerCase) ? aliases[lowerCase] : undefined)
  );
}
