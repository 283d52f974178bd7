import { type Document, isNode, isScalar, type Node, visit, type YAMLError } from 'yaml';

export type YamlSyntaxError = { at: number; reason: string; isHarmless?: boolean };

export function findYamlSyntaxErrors(
  text: string,
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): YamlSyntaxError[] {
  const errors: YamlSyntaxError[] = [];
  let isAfterIndentError = false;
  let lastLine = Number.NEGATIVE_INFINITY;
  for (const error of document.errors) {
    const line = lineAt(error.pos[0]);
    const isNear = Math.abs(line - lastLine) <= 2;
    // A wrong indent causes errors in the lines after it, too; each tab has to be removed by itself.
    const isRepeated = line === lastLine || (isNear && isAfterIndentError && error.code !== 'TAB_AS_INDENT');
    if (!isRepeated) {
      isAfterIndentError = error.code === 'TAB_AS_INDENT' || error.code === 'BAD_INDENT';
      errors.push(
        error.code === 'DUPLICATE_KEY'
          ? describeDuplicateKey(error, text)
          : describeError(error, text, document),
      );
    }
    lastLine = line;
  }
  const lines = new Set<number>();
  const signs = findReservedSigns(document).filter(
    ({ at }) => !lines.has(lineAt(at)) && lines.add(lineAt(at)),
  );
  return [...errors, ...signs];
}

function describeDuplicateKey({ pos: [at] }: YAMLError, text: string): YamlSyntaxError {
  const [name] = /^[^:\n]*/.exec(text.slice(at, at + 60)) ?? [];
  return { at, reason: `${name} is already used above`, isHarmless: true };
}

function describeError(error: YAMLError, text: string, document: Document.Parsed): YamlSyntaxError {
  const unclosed = /quote|Flow/.test(error.message) ? findUnclosed(document, error.pos[0]) : undefined;
  if (unclosed && isScalar(unclosed))
    return { at: unclosed.range?.[0] ?? 0, reason: 'has a quotation mark that is not closed' };
  if (unclosed) return { at: unclosed.range?.[0] ?? 0, reason: 'has a bracket that is not closed' };
  const at = error.pos[0];
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && !/:( |$)/.test(text.slice(at).split('\n')[0] ?? ''))
    return { at, reason: 'is followed by a line that begins too far to the right' };
  if (error.code === 'RESOURCE_EXHAUSTION')
    return { at, reason: error.message.startsWith('has ') ? error.message : 'is nested too deeply' };
  const message = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '');
  return { at, reason: reasons[error.code] ?? `cannot be read: ${message}` };
}

/** The parser reports where it gave up; the owner needs to know where the quotation or bracket was opened. */
function findUnclosed(document: Document.Parsed, at: number): Node | undefined {
  let found: Node | undefined;
  visit(document, (_, node) => {
    if (!isNode(node) || !node.range) return;
    const isDelimited = isScalar(node) ? node.type?.startsWith('QUOTE') : 'flow' in node && node.flow;
    if (isDelimited && node.range[0] <= at && node.range[2] >= at) found = node;
  });
  return found;
}

const reasons: Record<string, string> = {
  TAB_AS_INDENT: 'begins with a tab; use spaces',
  BAD_INDENT: 'does not begin in the same column as the lines it belongs to',
  BAD_ALIAS: 'has a text that begins with *; put it in quotation marks',
  BAD_SCALAR_START: 'has a text that begins with a special character; put it in quotation marks',
  BAD_DIRECTIVE: 'begins with %, which YAML reserves',
  BLOCK_AS_IMPLICIT_KEY: 'has a second colon; put the text in quotation marks',
  MULTILINE_IMPLICIT_KEY: 'is missing the colon after its field, or begins in the wrong column',
  MISSING_CHAR: 'is missing the colon after its field, or a space, a quotation mark or a bracket',
  MULTIPLE_DOCS: 'contains a line of ---, which would begin another document',
  UNEXPECTED_TOKEN: 'has something after its text; put the whole text in quotation marks',
};

/** Anchors and tags, which these files never use: usually a text without its quotation marks. */
function findReservedSigns(document: Document.Parsed): YamlSyntaxError[] {
  const errors: YamlSyntaxError[] = [];
  visit(document, {
    Value(_, node) {
      if (node.anchor !== undefined) errors.push(describeReservedSign(node, '&'));
      if (node.tag !== undefined) errors.push(describeReservedSign(node, '!'));
    },
  });
  return errors;
}

function describeReservedSign(node: Node, sign: string): YamlSyntaxError {
  return {
    at: node.range?.[0] ?? 0,
    reason: `has a text that begins with ${sign}; put it in quotation marks`,
  };
}
