import { createHash } from 'node:crypto';
import { parseYaml } from '../parse-yaml.ts';
import { splitFrontMatter } from '../source-positions.ts';
import { editYaml } from './edit-yaml.ts';
import type { ItemOrigins } from './form-types.ts';

export type Fields = Record<string, unknown>;

/** Undefined where the file has errors of syntax, which have to be corrected in the file itself. */
export function readFields(file: string, text: string): Fields | undefined {
  const whole = normalise(text);
  if (!file.endsWith('.md')) return readYaml(whole);
  const parts = splitFrontMatter(whole);
  const fields = parts && readYaml(parts.front);
  return parts && fields && { ...fields, body: parts.body.trimEnd() };
}

/** The text of a file with the new fields; the `body` of a Markdown file is the text below its other fields. */
export function editFile(file: string, text: string, fields: Fields, origins?: ItemOrigins): string {
  if (!file.endsWith('.md')) return editYaml(text, fields, origins);
  const parts = splitFrontMatter(normalise(text));
  if (!parts) throw new Error('the file does not begin with its fields');
  const { body = '', ...others } = fields;
  const written = String(body).trim();
  const front = editYaml(parts.front, others, origins);
  const rest = parts.rest.endsWith('\n') ? parts.rest : `${parts.rest}\n\n`;
  const newBody = written === parts.body.trimEnd() ? parts.body : `${written}\n`;
  const whole = `---\n${front}${rest}${newBody}`;
  return text.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole;
}

export function hashText(text: string | Uint8Array | undefined): string {
  return createHash('sha256')
    .update(text ?? 'missing')
    .digest('base64url');
}

function readYaml(text: string): Fields | undefined {
  const document = parseYaml(text);
  const value: unknown = document.errors.length > 0 ? undefined : (document.toJS() ?? {});
  return typeof value === 'object' && !Array.isArray(value) ? (value as Fields) : undefined;
}

function normalise(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
