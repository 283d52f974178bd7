import type { FootnoteDefinition, FootnoteReference, Nodes, Root, Text } from 'mdast';
import { truncate } from '../../core/content/fields.ts';
import type { ProseNode, ProseTools } from '../../core/content/prose.ts';
import type { PostLabels } from './blog-types.ts';

type Note = { definition: FootnoteDefinition; number: number; references: number };

/** Numbered by first reference. Their ids contain underscores, which no heading's id does. */
export function createFootnotes(labels: PostLabels) {
  const notes = new Map<string, Note>();
  let count = 0;

  return {
    find(root: Root, { addError }: ProseTools): void {
      const used = new Set<string>();
      visit(root, node => {
        if (node.type === 'footnoteReference') used.add(node.identifier);
        if (node.type !== 'footnoteDefinition') return;
        if (notes.has(node.identifier)) addError(node, `defines the footnote [^${node.label}] twice`);
        else notes.set(node.identifier, { definition: node, number: 0, references: 0 });
      });
      const reachable = findReachable(root, notes);
      for (const [identifier, { definition }] of notes) {
        if (reachable.has(identifier)) continue;
        const reason = used.has(identifier) ? 'only unused footnotes refer to' : 'nothing refers to';
        addError(definition, `defines the footnote [^${definition.label}], which ${reason}`);
      }
    },

    refer(node: FootnoteReference): ProseNode[] {
      const note = notes.get(node.identifier);
      if (!note) return [];
      note.number ||= ++count;
      note.references += 1;
      const id = referenceId(note.number, note.references);
      return [
        ['sup', {}, ['a', { href: `#note_${note.number}`, id, role: 'doc-noteref' }, `${note.number}`]],
      ];
    },

    findMissing(node: Text, { addError }: ProseTools): ProseNode[] | undefined {
      const [missing] = /\[\^[^\]\s]+\]/.exec(node.value) ?? [];
      return missing
        ? addError(node, `refers to the footnote ${truncate(missing)}, which is missing`)
        : undefined;
    },

    write(tools: ProseTools): ProseNode[] {
      const written: ProseNode[] = [];
      for (let number = 1; number <= count; number += 1) {
        const note = [...notes.values()].find(one => one.number === number);
        const inner = note ? tools.convertAll(note.definition) : [];
        if (note) written.push(['li', { id: `note_${number}` }, ...addBackLinks(inner, note, labels)]);
      }
      if (written.length === 0) return [];
      const heading: ProseNode = ['h2', { id: 'notes_' }, labels.footnotes];
      return [
        ['section', { class: 'footnotes', 'aria-labelledby': 'notes_' }, heading, ['ol', {}, ...written]],
      ];
    },
  };
}

function findReachable(root: Root, notes: Map<string, Note>): Set<string> {
  const reached = new Set<string>();
  const follow = (node: Nodes): void => {
    if (node.type === 'footnoteReference' && !reached.has(node.identifier)) {
      reached.add(node.identifier);
      for (const child of notes.get(node.identifier)?.definition.children ?? []) follow(child);
    }
    if (node.type !== 'footnoteDefinition' && 'children' in node)
      for (const child of node.children) follow(child);
  };
  follow(root);
  return reached;
}

export function hasFootnoteReference(node: Nodes): boolean {
  return (
    node.type === 'footnoteReference' || ('children' in node && node.children.some(hasFootnoteReference))
  );
}

function referenceId(number: number, reference: number): string {
  return reference === 1 ? `note_${number}_ref` : `note_${number}_ref_${reference}`;
}

function addBackLinks(inner: ProseNode[], { number, references }: Note, labels: PostLabels): ProseNode[] {
  const links = Array.from({ length: references }, (_, index): ProseNode[] => {
    const numbering = references === 1 ? `${number}` : `${number}.${index + 1}`;
    const label = `${labels.backToText} ${numbering}`;
    const href = `#${referenceId(number, index + 1)}`;
    return [' ', ['a', { href, class: 'note-back', role: 'doc-backlink', 'aria-label': label }, '↩\uFE0E']];
  }).flat();
  const last = inner.at(-1);
  return Array.isArray(last) && last[0] === 'p'
    ? [...inner.slice(0, -1), [...last, ...links] as ProseNode]
    : [...inner, ['p', {}, ...links]];
}

function visit(node: Nodes, callback: (node: Nodes) => void): void {
  callback(node);
  if ('children' in node) for (const child of node.children) visit(child, callback);
}
