import type { Prose, ProseNode } from '../../content/prose.ts';
import { indent, inline, wrap } from './text-lines.ts';

/** A table as text: columns would not fit, so each row is an entry, and each cell is named by its column. */
export function writeTable(table: ProseNode, most: number): string {
  const [heads = [], ...rows] = rowsOf(table).map(row =>
    childrenOf(row).map(cell => inline(childrenOf(cell))),
  );
  const entries = rows.map(cells => {
    const lines = cells.flatMap((cell, index) => {
      if (cell.trim() === '') return [];
      return [wrap(heads[index]?.trim() ? `${heads[index]}: ${cell}` : cell, most - 2)];
    });
    return `- ${indent(lines.join('\n'), '  ').slice(2)}`;
  });
  return entries.join('\n\n');
}

function rowsOf(node: ProseNode): ProseNode[] {
  return childrenOf(node).flatMap(child => (child[0] === 'tr' ? [child] : rowsOf(child)));
}

function childrenOf(node: ProseNode): Prose {
  return typeof node === 'string' ? [] : (node.slice(2) as Prose);
}
