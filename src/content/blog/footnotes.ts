import type { FootnoteDefinition, FootnoteReference, Nodes, Root, Text } from 'mdast';
import { clip } from '../fields.ts';
import type { ProseNode, ProseTools } from '../prose.ts';
import type { PostWords } from './types.ts';

type Note = { definition: FootnoteDefinition; number: number; references: number };

/** Numbered by first reference. Their ids contain underscores, which no heading's id does. */
export function createFootnotes(words: PostWords) {
  const notes = new Map<string, Note>();
  let count = 0;

  return {
    find(root: Root, { refuse }: ProseTools): void {
      const used = new Set<string>();
      visit(root, node => {
        if (node.type === 'footnoteReference') used.add(node.identifier);
        if (node.type !== 'footnoteDefinition') return;
        if (notes.has(node.identifier)) refuse(node, `has the footnote [^${node.label}] twice`);
        else notes.set(node.identifier, { definition: node, number: 0, references: 0 });
      });
      const reached = findReached(root, notes);
      for (const [identifier, { definition }] of notes) {
        if (reached.has(identifier)) continue;
        const who = used.has(identifier) ? 'only notes refer to that nothing leads to' : 'nothing refers to';
        refuse(definition, `has the footnote [^${definition.label}], which ${who}`);
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

    /** What looks like a reference to a note that does not exist. */
    findLost(node: Text, { refuse }: ProseTools): ProseNode[] | undefined {
      const [lost] = /\[\^[^\]\s]+\]/.exec(node.value) ?? [];
      return lost ? refuse(node, `refers to the footnote ${clip(lost)}, which is missing`) : undefined;
    },

    write(tools: ProseTools): ProseNode[] {
      const written: ProseNode[] = [];
      // A note may be the first to refer to another one.
      for (let number = 1; number <= count; number += 1) {
        const note = [...notes.values()].find(one => one.number === number);
        const inner = note ? tools.convertAll(note.definition) : [];
        if (note) written.push(['li', { id: `note_${number}` }, ...withBackLinks(inner, note, words)]);
      }
      if (written.length === 0) return [];
      const heading: ProseNode = ['h2', { id: 'notes_' }, words.footnotes];
      return [
        ['section', { class: 'footnotes', 'aria-labelledby': 'notes_' }, heading, ['ol', {}, ...written]],
      ];
    },
  };
}

function findReached(root: Root, notes: Map<string, Note>): Set<string> {
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

export function holdsReference(node: Nodes): boolean {
  return node.type === 'footnoteReference' || ('children' in node && node.children.some(holdsReference));
}

function referenceId(number: number, reference: number): string {
  return reference === 1 ? `note_${number}_ref` : `note_${number}_ref_${reference}`;
}

function withBackLinks(inner: ProseNode[], { number, references }: Note, words: PostWords): ProseNode[] {
  const links = Array.from({ length: references }, (_, index): ProseNode[] => {
    const told = references === 1 ? `${number}` : `${number}.${index + 1}`;
    const label = `${words.backToText} ${told}`;
    const href = `#${referenceId(number, index + 1)}`;
    return [' ', ['a', { href, class: 'note-back', role: 'doc-backlink', 'aria-label': label }, '↩\uFE0E']];
  }).flat();
  const last = inner.at(-1);
  return Array.isArray(last) && last[0] === 'p'
    ? [...inner.slice(0, -1), [...last, ...links] as ProseNode]
    : [...inner, ['p', {}, ...links]];
}

function visit(node: Nodes, see: (node: Nodes) => void): void {
  see(node);
  if ('children' in node) for (const child of node.children) visit(child, see);
}
