import { Document, isCollection, isScalar, type Node, Scalar, visit } from 'yaml';

/** 'quoted' is for the rare text that a block cannot hold. */
export type TextStyle = 'present' | 'quoted';

type Place = {
  /** Of the field's name or the item's hyphen. */
  column: number;
  style: TextStyle;
  isItem?: boolean;
  /** What is replaced, and its text. */
  present?: Node;
  source?: string;
};

const lineLength = 120;

/** As it follows a colon or hyphen: after a space, or on lines of its own. */
export function formatYaml(value: unknown, { column, style, isItem, present, source }: Place): string {
  const document = new Document(isItem ? [value] : { x: value });
  const isFlow = isCollection(present) && present.flow === true && present.items.length > 0;
  visit(document, {
    Scalar: (key, node) => {
      if (key !== 'key') setStyle(node, isScalar(present) ? present : undefined, style);
    },
    Collection: (_, node) => {
      if (isCollection(present) && isFlow && node !== document.contents) node.flow = true;
    },
  });
  const width = isFlow ? 0 : Math.max(lineLength - column, 40);
  const text = document.toString({ lineWidth: width, indentSeq: true, flowCollectionPadding: false });
  const [first = '', ...lines] = text.replace(/\n$/, '').split('\n');
  const indented = lines.map(line => (line ? ' '.repeat(Math.max(column, 0)) + line : line));
  const whole = [first.slice(isItem ? 1 : 2), ...indented].join('\n');
  const [, comment] = /^[|>][^\s#]*([ \t]+#[^\n]*)/.exec(source ?? '') ?? [];
  return comment && /^ [|>]/.test(whole) ? whole.replace(/\n|$/, end => comment + end) : whole;
}

function setStyle(node: Scalar, present: Scalar | undefined, style: TextStyle): void {
  if (typeof node.value !== 'string') return;
  const isLong = node.value.length > 90;
  const isBlock = /\S\n?$/.test(node.value) && !/^\s/.test(node.value);
  if (style === 'quoted' || (!isBlock && /\n/.test(node.value))) node.type = Scalar.QUOTE_DOUBLE;
  else if (present?.type?.startsWith('QUOTE_')) node.type = present.type;
  else if (present?.type?.startsWith('BLOCK_') && isBlock) node.type = present.type;
  else if (/\n/.test(node.value)) node.type = Scalar.BLOCK_LITERAL;
  else if (isLong && isBlock) node.type = Scalar.BLOCK_FOLDED;
}
