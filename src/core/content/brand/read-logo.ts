import { SaxesParser } from 'saxes';
import type { ContentError } from '../content-error.ts';
import { truncate } from '../fields.ts';
import { readTextFile } from '../text-file.ts';
import type { Logo, LogoShape } from './brand-files.ts';

/** Stands in for a logo with errors, so that the rest of the brand can be checked; it is never shown. */
export const noLogo: Logo = { viewBox: '0 0 1 1', shape: { tag: 'g', attributes: {}, children: [] } };

export const logoFile = 'brand/logo.svg';

const shapeTags = ['g', 'path', 'circle', 'ellipse', 'rect', 'line', 'polyline', 'polygon'];
const ignoredTags = ['title', 'desc', 'metadata'];
const isIgnored = ({ tag, children }: Element) =>
  ignoredTags.includes(tag) || (tag === 'defs' && children.length === 0);
const drawn =
  /^(d|[cr]?[xy]|[xy][12]|r|width|height|points|transform|fill-rule|(fill-|stroke-)?opacity|fill|stroke(-(width|linecap|linejoin|miterlimit|dasharray|dashoffset))?)$/;
const ignored =
  /^(id|class|role|version|preserveAspectRatio|xmlns|(xmlns|xml|data|aria|inkscape|sodipodi)[:-].*)$/;
const remedy = "export it as plain SVG, drawn with fill and stroke of 'currentColor' or 'none'";

/** Only shapes in the colour of the text around them: nothing of the file can load, run or style anything. */
export function readLogo(path: string, errors: ContentError[]): Logo | undefined {
  const countBefore = errors.length;
  const addError = (line: number, field: string, reason: string) =>
    errors.push({ file: logoFile, line, field, reason });

  function convert({ tag, line, attributes, children }: Element): LogoShape {
    const kept = Object.entries(attributes).filter(([name, value]) => {
      const isColour = name === 'fill' || name === 'stroke';
      if (!drawn.test(name) && !ignored.test(name)) addError(line, name, `is not allowed here; ${remedy}`);
      else if (isColour && !/^(currentColor|none)$/i.test(value))
        addError(
          line,
          name,
          `is '${truncate(value)}', expected currentColor or none, so that the logo fits each page`,
        );
      else if (/url\(|[<>]/i.test(value)) addError(line, name, `refers to something else; ${remedy}`);
      return drawn.test(name);
    });
    const shapes = children.filter(child => !isIgnored(child));
    for (const child of shapes)
      if (!shapeTags.includes(child.tag)) addError(child.line, '', `has <${truncate(child.tag)}>; ${remedy}`);
    return { tag, attributes: Object.fromEntries(kept), children: shapes.map(convert) };
  }

  const file = readTextFile(path);
  if (file.text === undefined) {
    addError(file.line, '', file.reason);
    return undefined;
  }
  const { root, error } = parseXml(file.text);
  if (!root || error || root.tag !== 'svg') {
    addError(error?.line ?? 1, '', error?.reason ?? 'is not an SVG drawing');
    return undefined;
  }
  const { viewBox = '', width: _, height: __, ...attributes } = root.attributes;
  if (!/^-?[\d.]+[ ,]+-?[\d.]+[ ,]+[\d.]+[ ,]+[\d.]+$/.test(viewBox.trim()))
    addError(
      root.line,
      'viewBox',
      'is missing; it says how large the drawing is, such as viewBox="0 0 24 24"',
    );
  const shape = convert({ ...root, tag: 'g', attributes: { fill: 'currentColor', ...attributes } });
  return errors.length > countBefore
    ? undefined
    : { viewBox: viewBox.trim().replaceAll(/[ ,]+/g, ' '), shape };
}

/** Of a drawing program, a logo has tens of shapes in a few groups. */
const [maxDepth, maxElements] = [50, 2000];

type Element = { tag: string; line: number; attributes: Record<string, string>; children: Element[] };

function parseXml(text: string): { root?: Element; error?: { line: number; reason: string } } {
  const parser = new SaxesParser();
  const open: Element[] = [{ tag: '', line: 1, attributes: {}, children: [] }];
  const found: { error?: { line: number; reason: string } } = {};
  const fail = (reason: string) => (found.error ??= { line: parser.line, reason });
  parser.on('error', ({ message }) =>
    fail(`is not valid SVG: ${truncate(message.replace(/^[\d:]+ */, ''))}`),
  );
  parser.on('doctype', () => fail(`has a DOCTYPE; ${remedy}`));
  let count = 0;
  parser.on('opentag', ({ name: tag, attributes }) => {
    count += 1;
    if (open.length > maxDepth) fail(`is nested more than ${maxDepth} levels deep; ${remedy}`);
    if (count > maxElements) fail(`has more than ${maxElements.toLocaleString('en-GB')} elements; ${remedy}`);
    const element = {
      tag,
      line: parser.line,
      attributes: attributes as Record<string, string>,
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  const root = open[0]?.children[0];
  return { ...found, ...(root && { root }) };
}
