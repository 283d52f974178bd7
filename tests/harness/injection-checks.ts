import { parse } from 'csv-parse/sync';

/** Finds what other programs would interpret in our output. Independent of the product's own escaping. */

const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫';
const passedOver = '\\p{Z}\\p{Cc}\\p{Cf}\\u034f\\u115f\\u1160\\u3164\\uffa0\\ufe00-\\ufe0f';
const activeCell = new RegExp(`^(?:[${passedOver}]*[${signs}]|[\\t\\r\\n])`, 'u');
const tornFormula = new RegExp(`[;\\t\\r\\n]["${passedOver}]*[${signs}].{0,20}`, 'gu');

export function isFormulaCell(cell: string): boolean {
  return activeCell.test(cell);
}

/**
 * Cells that a spreadsheet program would calculate, also one that splits by semicolons or tabs and so breaks our cells
 * apart.
 */
export function findFormulas(csv: string): string[] {
  const cells = parse(csv, { bom: true }).flat();
  return [...cells.filter(isFormulaCell), ...(csv.match(tornFormula) ?? [])];
}

/** Terminal control characters, invisible line endings and direction marks. */
export function findControlCharacters(text: string): string[] {
  return text.match(/(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu) ?? [];
}

/** Removes our own direction isolates up to the end of their line: marks have no effect beyond it. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(/\u2068([^\u2066-\u2069\n]*)\u2069$/gm, (_, isolated: string) =>
    isolated.replaceAll(/[\u061c\u200e\u200f]/g, ''),
  );
}

/** Line endings, bytes and line lengths of a mail that not all servers accept. */
export function findUnsafeBytes(mail: string): string[] {
  return [
    ...(mail.match(/(?<!\r)\n|\r(?!\n)|[^\t\r\n\x20-\x7e]/g) ?? []),
    ...mail.split('\r\n').filter(line => line.length > 998),
  ];
}

const labels = ['Name:', 'Email:', 'Service:', 'Received:', 'Reference:'];
const ours = /^(Reply to this email|The visitor left no email address|The message, each line)/;

/** Parts of a notification that imitate our own text, or contain control characters. */
export function findUnquotedText(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const labelled = lines.slice(0, labels.length);
  const rest = lines.slice(labels.length).filter(line => line && !line.startsWith('|') && !ours.test(line));
  const wrong = labels.filter((label, index) => !labelled[index]?.startsWith(label));
  return [...rest, ...wrong, ...findControlCharacters(withoutIsolates(lines.join('\n')))];
}

/** Text that Slack, or a compatible service, would turn into links, mentions or formatting. */
export function findSlackMarkup(text: string): string[] {
  const lines = text.split('\n').slice(1);
  return [
    ...(text.match(/[<>]|&(?!(?:amp|lt|gt);)|(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu) ?? []),
    ...lines.filter(line => !/^(Name: |Email: |Service: |\||\(shortened)/.test(line)),
  ];
}

/** Blocks of a card that contain unescaped Markdown. */
export function findMarkdown(blocks: readonly string[]): string[] {
  return blocks.filter(text => {
    const left = text.replaceAll(/\\[\\`*_{}[\]()<>#~|!&$+=.-]/g, 'x');
    return /[`*_{}[\]()<>#~|!&$\n]|^\s*([-+=]|\d+[.)])/.test(left);
  });
}
