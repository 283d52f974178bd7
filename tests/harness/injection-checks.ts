import { parse } from 'csv-parse/sync';
import PostalMime from 'postal-mime';

/** What somebody else's program would obey in what we hand it. Written by hand, and not with the product's own guards. */

const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫';
const passedOver = '\\p{Z}\\p{Cc}\\p{Cf}\\u034f\\u115f\\u1160\\u3164\\uffa0\\ufe00-\\ufe0f';
const activeCell = new RegExp(`^(?:[${passedOver}]*[${signs}]|[\\t\\r\\n])`, 'u');
const tornFormula = new RegExp(`[;\\t\\r\\n]["${passedOver}]*[${signs}].{0,20}`, 'gu');

export function isFormulaCell(cell: string): boolean {
  return activeCell.test(cell);
}

/**
 * Cells that a spreadsheet program would calculate: one that parts cells by commas, and one that takes semicolons or
 * tabs for their ends and so tears ours apart, quotes and all.
 */
export function findFormulas(csv: string): string[] {
  const cells = parse(csv, { bom: true }).flat();
  return [...cells.filter(isFormulaCell), ...(csv.match(tornFormula) ?? [])];
}

/** All that a guard may add. */
export function withoutApostrophes(text: string): string {
  return text.replaceAll("'", '');
}

/** What a terminal obeys, what ends a line unseen, what turns the reading direction of what stands beside it. */
export function findControlCharacters(text: string): string[] {
  return text.match(/(?![\t\n])[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu) ?? [];
}

/** Without what we isolate ourselves, to the end of its line: marks of direction have no effect beyond that. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(/\u2068([^\u2066-\u2069\n]*)\u2069$/gm, (_, isolated: string) =>
    isolated.replaceAll(/[\u061c\u200e\u200f]/g, ''),
  );
}

/** Lines of a log that are not one object each, or do more than be read. */
export function findForgedLogLines(lines: readonly string[]): string[] {
  return lines.filter(line => {
    if (line.indexOf('\n') !== line.length - 1 || findControlCharacters(line).length > 0) return true;
    try {
      const { time, level, event } = JSON.parse(line);
      return [time, level, event].some(value => typeof value !== 'string');
    } catch {
      return true;
    }
  });
}

export type ParsedMail = Awaited<ReturnType<typeof parseMail>>;

/** A mail as a mail program takes it, and as it stands on the wire. */
export async function parseMail(raw: string) {
  const mail = await PostalMime.parse(raw);
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
  return {
    names: head
      .split('\r\n')
      .filter(line => !/^[ \t]/.test(line))
      .map(line => line.split(':')[0] ?? '')
      .sort(),
    parsedNames: mail.headers.map(({ key }) => key).sort(),
    from: mail.from?.address,
    to: mail.to?.map(({ address }) => address),
    others: [...(mail.cc ?? []), ...(mail.bcc ?? [])],
    replyTo: mail.replyTo,
    subject: mail.subject,
    text: mail.text ?? '',
    isPlain: !mail.html && mail.attachments.length === 0 && /^content-type: text\/plain;/im.test(head),
    /** Ends of lines that only some servers take for one, bytes that only some take, lines that some cut. */
    wire: [
      ...(raw.match(/(?<!\r)\n|\r(?!\n)|[^\t\r\n\x20-\x7e]/g) ?? []),
      ...raw.split('\r\n').filter(line => line.length > 998),
    ],
  };
}

const labels = ['Name:', 'E-mail:', 'Service:', 'Received:', 'Reference:'];
const ours =
  /^(An answer to this mail goes|The visitor gave no e-mail address|What the visitor wrote, each line)/;

/** What of a notification could be taken for our own words, or does more than be read. */
export function findUnquotedText(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const labelled = lines.slice(0, labels.length);
  const rest = lines.slice(labels.length).filter(line => line && !line.startsWith('|') && !ours.test(line));
  const wrong = labels.filter((label, index) => !labelled[index]?.startsWith(label));
  return [...rest, ...wrong, ...findControlCharacters(withoutIsolates(lines.join('\n')))];
}

/** What Slack, and what understands the same, would link, call or format. */
export function findSlackMarkup(text: string): string[] {
  const lines = text.split('\n').slice(1);
  return [
    ...(text.match(/[<>]|&(?!(?:amp|lt|gt);)|(?<![\p{L}\p{N}])@(?=[\p{L}\p{N}])/gu) ?? []),
    ...lines.filter(line => !/^(Name: |E-mail: |Service: |\||\(shortened)/.test(line)),
  ];
}

/** Blocks of a card in which a sign of Markdown stands that is not escaped. */
export function findMarkdown(blocks: readonly string[]): string[] {
  return blocks.filter(text => {
    const left = text.replaceAll(/\\[\\`*_{}[\]()<>#~|!&$+=.-]/g, 'x');
    return /[`*_{}[\]()<>#~|!&$\n]|^\s*([-+=]|\d+[.)])/.test(left);
  });
}
