import { parseEnv } from 'node:util';

export type Settings = Record<string, string>;

const heading =
  '# Settings of this site. All of them are explained in .env.example; npm run setup asks for the main ones.\n';

export function parseSettings(text: string): Settings {
  return parseEnv(text) as Settings;
}

/** Every other line stays as it is. Removed settings stay as NAME=, which means unset. */
export function editEnvFile(text: string, changes: Settings): string {
  let edited = text || heading;
  for (const [name, value] of Object.entries(changes)) {
    const line = `${name}=${quote(value)}`;
    const found = [...edited.matchAll(assignment(name))].at(-1);
    if (found) {
      const [all, before = '', , comment = ''] = found;
      edited = `${edited.slice(0, found.index)}${before}${line}${comment}${edited.slice(found.index + all.length)}`;
    } else if (value !== '') {
      edited += `${edited.endsWith('\n') ? '' : '\n'}${line}\n`;
    }
  }
  return edited;
}

/** The last assignment of a name counts. A value in quotation marks may span lines. */
function assignment(name: string): RegExp {
  return new RegExp(
    `^([ \\t]*(?:export[ \\t]+)?)${name}[ \\t]*=[ \\t]*("[^"]*"|'[^']*'|\`[^\`]*\`|[^#\\r\\n]*?)([ \\t]*#[^\\r\\n]*|[ \\t]*)(?=\\r?$)`,
    'gm',
  );
}

/** Quotation marks only where needed: Docker's --env-file takes them for a part of the value. */
function quote(value: string): string {
  if (!/[#\s]|^["'`]/.test(value)) return value;
  const mark = ['"', "'", '`'].find(one => !value.includes(one));
  if (!mark) throw new Error('a value with all three kinds of quotation marks cannot be written to .env');
  return `${mark}${value}${mark}`;
}
