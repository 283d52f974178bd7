import { all, createLowlight, type HighlightedNode } from 'lowlight';
import type { Prose, ProseNode } from '../../core/content/prose.ts';
import { languages } from './code-languages.ts';

const grammars: Record<string, string> = { html: 'xml', text: 'plaintext', toml: 'ini' };

const lowlight = createLowlight(
  Object.fromEntries(
    languages.map(language => {
      const grammar = all[grammars[language] ?? language];
      if (!grammar) throw new Error(`There is no grammar for ${language}`);
      return [language, grammar];
    }),
  ),
);

export function highlight(prose: Prose): Prose {
  return prose.map(node => {
    if (typeof node === 'string') return node;
    const [tag, attributes, ...children] = node;
    const language = tag === 'code' ? /^language-(\w+)$/.exec(attributes.class ?? '')?.[1] : undefined;
    if (!language) return [tag, attributes, ...highlight(children)];
    const code = children.map(String).join('');
    return [tag, attributes, ...lowlight.highlight(language, code).children.flatMap(toProse)];
  });
}

function toProse(node: HighlightedNode): ProseNode[] {
  if (node.type === 'text') return [node.value];
  const inner = node.children.flatMap(toProse);
  // A nested language has its bare name for a class, which may mean something else in our styles.
  const kinds = node.properties.className.filter(name => /^hljs-|_$/.test(name));
  return kinds.length > 0 ? [['span', { class: kinds.join(' ') }, ...inner]] : inner;
}
