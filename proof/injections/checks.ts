import { findControlCharacters } from '../../tests/harness/injection-checks.ts';

/** An apostrophe is all that formula escaping may add. */
export function withoutApostrophes(text: string): string {
  return text.replaceAll("'", '');
}

/** Log lines that are not one JSON object each, or contain control characters. */
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
