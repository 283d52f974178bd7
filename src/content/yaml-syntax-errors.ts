import { type Document, isNode, isScalar, type Node, visit, type YAMLError } from 'yaml';

export type SyntaxFault = { at: number; reason: string; isHarmless?: boolean };

export function findSyntaxFaults(
  text: string,
  document: Document.Parsed,
  lineAt: (offset: number) => number,
): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  let isFollowing = false;
  let lastLine = Number.NEGATIVE_INFINITY;
  for (const error of document.errors) {
    const line = lineAt(error.pos[0]);
    const isNear = Math.abs(line - lastLine) <= 2;
    // A wrong indent makes the lines after it look wrong, too; each tab has to be removed by itself.
    const isRepeated = line === lastLine || (isNear && isFollowing && error.code !== 'TAB_AS_INDENT');
    if (!isRepeated) {
      isFollowing = error.code === 'TAB_AS_INDENT' || error.code === 'BAD_INDENT';
      faults.push(error.code === 'DUPLICATE_KEY' ? nameTwice(error, text) : locate(error, text, document));
    }
    lastLine = line;
  }
  const lines = new Set<number>();
  const marks = findMarks(document).filter(({ at }) => !lines.has(lineAt(at)) && lines.add(lineAt(at)));
  return [...faults, ...marks];
}

function nameTwice({ pos: [at] }: YAMLError, text: string): SyntaxFault {
  const [name] = /^[^:\n]*/.exec(text.slice(at, at + 60)) ?? [];
  return { at, reason: `${name} stands above already`, isHarmless: true };
}

function locate(error: YAMLError, text: string, document: Document.Parsed): SyntaxFault {
  const opened = /quote|Flow/.test(error.message) ? findOpened(document, error.pos[0]) : undefined;
  if (opened && isScalar(opened))
    return { at: opened.range?.[0] ?? 0, reason: 'has a quotation mark that is not closed' };
  if (opened) return { at: opened.range?.[0] ?? 0, reason: 'has a bracket that is not closed' };
  const at = error.pos[0];
  if (error.code === 'BLOCK_AS_IMPLICIT_KEY' && !/:( |$)/.test(text.slice(at).split('\n')[0] ?? ''))
    return { at, reason: 'is followed by a line that begins too far to the right' };
  const plain = reasons[error.code];
  const told = error.message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '');
  return { at, reason: plain ?? `cannot be read: ${told}` };
}

/** The parser reports where it gave up; the owner needs to know where the quotation or bracket was opened. */
function findOpened(document: Document.Parsed, at: number): Node | undefined {
  let found: Node | undefined;
  visit(document, (_, node) => {
    if (!isNode(node) || !node.range) return;
    const isOpened = isScalar(node) ? node.type?.startsWith('QUOTE') : 'flow' in node && node.flow;
    if (isOpened && node.range[0] <= at && node.range[2] >= at) found = node;
  });
  return found;
}

const reasons: Record<string, string> = {
  TAB_AS_INDENT: 'begins with a tab; use spaces',
  BAD_INDENT: 'does not begin in the same column as the lines it belongs to',
  BAD_ALIAS: 'has a text that begins with *; put it in quotation marks',
  BAD_SCALAR_START: 'has a text that begins with a special character; put it in quotation marks',
  BAD_DIRECTIVE: 'begins with %, which has a meaning of its own here',
  BLOCK_AS_IMPLICIT_KEY: 'has a second colon; put the text in quotation marks',
  MULTILINE_IMPLICIT_KEY: 'lacks the colon after its field, or does not begin in the right column',
  MISSING_CHAR: 'lacks the colon after its field, or a space, a quotation mark or a bracket',
  MULTIPLE_DOCS: 'holds a line of ---, which would begin another file',
  UNEXPECTED_TOKEN: 'has something after its text; put the whole text in quotation marks',
  RESOURCE_EXHAUSTION: 'cannot be read: too much is nested in it',
};

/** YAML syntax that these files never use: mostly a text that lacks its quotation marks. */
function findMarks(document: Document.Parsed): SyntaxFault[] {
  const faults: SyntaxFault[] = [];
  visit(document, {
    Alias: (_, node) => void faults.push(mark(node, '*')),
    Value(_, node) {
      if (node.anchor !== undefined) faults.push(mark(node, '&'));
      if (node.tag !== undefined) faults.push(mark(node, '!'));
    },
  });
  return faults;
}

function mark(node: Node, sign: string): SyntaxFault {
  return {
    at: node.range?.[0] ?? 0,
    reason: `has a text that begins with ${sign}; put it in quotation marks`,
  };
}
