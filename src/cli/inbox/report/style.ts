/** The site's paper world, in one sheet of its own; print is black on white. */
export const style = `
:root {
  color-scheme: light;
  --surface: #f4f2ea; --raised: #eae6d9; --hairline: #d6d1c1; --text: #12211c; --muted: #4a5a53;
  --main: #0b6b4a; --attention: #8f4300; --faint: #9aa49d; --field: #d9e3d9;
}
* { box-sizing: border-box; }
html { font: 17px/1.6 system-ui, sans-serif; background: var(--surface); color: var(--text); }
body { margin: 0 auto; padding: 56px 24px 72px; max-width: 848px; }
h1, h2 { margin: 0; letter-spacing: -0.02em; line-height: 1.15; text-wrap: balance; }
h1 { font-size: clamp(2rem, 6vw, 3rem); letter-spacing: -0.03em; }
h2 { font-size: 1.6rem; }
p { margin: 12px 0 0; max-width: 62ch; color: var(--muted); }
.label { margin: 0 0 12px; font: 13px/1.4 ui-monospace, monospace; text-transform: uppercase; letter-spacing: 0.08em; }
.headlines { display: grid; grid-template-columns: repeat(3, 1fr); gap: 1px; margin: 40px 0 0; background: var(--hairline); border: 1px solid var(--hairline); border-radius: 22px; overflow: hidden; }
.headlines div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding: 20px 24px; background: var(--surface); }
.headlines dt { color: var(--muted); font-size: 0.85rem; line-height: 1.35; }
.headlines dd { margin: 0; font-size: 1.75rem; font-weight: 600; letter-spacing: -0.02em; line-height: 1.25; font-variant-numeric: tabular-nums; }
section { margin-top: 56px; padding-top: 40px; border-top: 1px solid var(--hairline); }
figure { margin: 24px 0 0; }
svg { display: block; width: 100%; height: auto; overflow: visible; }
svg.narrow { display: none; }
text { font: 13px system-ui, sans-serif; fill: var(--muted); font-variant-numeric: tabular-nums; unicode-bidi: isolate; }
text.name, text.value { fill: var(--text); }
text.name { font-size: 14px; }
.rule, .tick { stroke: var(--hairline); }
.ground { stroke: var(--muted); }
.range { stroke: var(--faint); stroke-width: 4; }
.main { fill: var(--main); }
.attention { fill: var(--attention); }
.faint { fill: var(--faint); }
circle { stroke: var(--surface); stroke-width: 1.5; }
.field { fill: var(--field); }
.curve { fill: none; stroke: var(--main); stroke-width: 2; stroke-linejoin: round; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 16px 0 0; padding: 0; list-style: none; font-size: 0.85rem; color: var(--muted); }
.legend svg { display: inline-block; width: 12px; height: 12px; margin-right: 8px; }
.empty { margin-top: 24px; padding: 32px 24px; max-width: none; border: 1px dashed var(--hairline); border-radius: 22px; text-align: center; text-wrap: balance; }
details { margin-top: 20px; }
summary { display: inline-flex; align-items: center; min-height: 44px; color: var(--main); font-weight: 600; cursor: pointer; }
summary::before { content: "+"; width: 1.2em; font-weight: 400; }
details[open] > summary::before { content: "\\2212"; }
summary:focus-visible { outline: 2px solid var(--main); outline-offset: 2px; border-radius: 4px; }
.table { margin-top: 12px; overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.85rem; line-height: 1.45; font-variant-numeric: tabular-nums; }
caption { padding: 8px 0; text-align: left; color: var(--muted); }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--hairline); text-align: left; vertical-align: top; }
tbody th { font-weight: 400; }
th:last-child, td:last-child { padding-right: 0; }
.numbers :is(th, td):not(:first-child) { text-align: right; }
.list td:last-child { overflow-wrap: anywhere; }
.list :is(th, td):not(:last-child) { white-space: nowrap; }
footer { margin-top: 56px; padding-top: 20px; border-top: 1px solid var(--hairline); font-size: 0.85rem; color: var(--muted); }
@media (max-width: 639px) {
  body { padding: 32px 20px 56px; }
  .headlines { grid-template-columns: repeat(2, 1fr); }
  .headlines div { padding: 16px; }
  .headlines div:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .headlines dd { font-size: 1.4rem; }
  section { margin-top: 40px; padding-top: 32px; }
  svg.wide { display: none; }
  svg.narrow { display: block; }
  th, td { padding-right: 8px; }
  .list table, .list tbody, .list tr, .list td, .list th { display: block; }
  .list thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; }
  .list tr { padding: 10px 0; border-bottom: 1px solid var(--hairline); }
  .list caption { display: block; }
  .list :is(th, td) { padding: 0; border: 0; }
  .list :is(th, td):not(:last-child) { display: inline; margin-right: 12px; }
}
@media (forced-colors: active) {
  text { fill: CanvasText; }
  .main, .field { fill: CanvasText; }
  .attention { fill: Highlight; }
  .faint { fill: GrayText; }
  .curve, .ground, .rule, .range { stroke: CanvasText; }
}
@media print {
  @page { size: A4; margin: 18mm; }
  :root { --surface: white; --raised: white; --hairline: #bbb; --text: black; --muted: black; --main: #222; --attention: #888; --faint: #c4c4c4; --field: #e5e5e5; }
  html { font-size: 10.5pt; }
  body { padding: 0 1px; max-width: none; }
  h1 { font-size: 26pt; }
  h2 { font-size: 15pt; }
  svg.wide { display: block; }
  svg.narrow { display: none; }
  .headlines { gap: 0; background: none; border-radius: 0; }
  section { margin-top: 10mm; padding-top: 0; border: 0; break-inside: avoid; }
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  details:not(.printed), summary { display: none; }
  details::details-content { display: block; height: auto; content-visibility: visible; }
  .empty { padding: 6mm; border-radius: 0; }
}
`;
