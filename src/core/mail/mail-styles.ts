const fonts = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const mono = "font-family:ui-monospace,SFMono-Regular,Consolas,'Liberation Mono',monospace;font-size:14px;";

type Colours = Record<'surface' | 'text' | 'muted' | 'accent' | 'hairline', string>;

/** As hex values, which every mail program knows. */
export type MailBrand = { logoText: string; colours: { light: Colours; dark: Colours } };

export function createMailStyles({ light, dark }: MailBrand['colours']) {
  const colours = {
    surface: `background-color:${light.surface};`,
    text: `color:${light.text};`,
    muted: `color:${light.muted};`,
    accent: `color:${light.accent};`,
  };
  const border = `1px solid ${light.hairline};`;
  const cell = `padding:6px 12px 6px 0;border-bottom:${border}vertical-align:top;`;
  const layout = {
    body: `${fonts}font-size:17px;line-height:1.6;overflow-wrap:anywhere;padding-bottom:24px;`,
    logo: 'margin:0 0 40px;font-size:15px;font-weight:600;letter-spacing:-0.01em;',
    h1: 'margin:0 0 24px;font-size:32px;line-height:1.15;font-weight:600;letter-spacing:-0.03em;',
    foot: `${fonts}font-size:14px;line-height:1.5;padding-top:20px;border-top:${border}`,
    footLine: 'margin:0 0 4px;',
    unsubscribe: 'display:inline-block;padding:12px 0;',
  };

  const elements: Record<string, string> = {
    p: 'margin:0 0 16px;',
    h2: 'margin:40px 0 12px;font-size:23px;line-height:1.25;font-weight:600;letter-spacing:-0.02em;',
    h3: 'margin:28px 0 8px;font-size:18px;line-height:1.35;font-weight:600;',
    ul: 'margin:0 0 16px;padding:0 0 0 26px;',
    ol: 'margin:0 0 16px;padding:0 0 0 26px;',
    li: 'margin:0 0 8px;',
    a: colours.accent,
    strong: '',
    em: '',
    code: mono,
    pre: `margin:0 0 16px;padding:4px 0 4px 16px;border-left:3px solid ${light.accent};white-space:pre-wrap;${mono}`,
    blockquote: `margin:0 0 16px;padding:4px 0 1px 16px;border-left:3px solid ${light.hairline};`,
    table: 'margin:0 0 16px;border-collapse:collapse;font-size:15px;',
    thead: '',
    tbody: '',
    tr: '',
    th: `${cell}text-align:left;font-weight:600;`,
    td: cell,
    hr: `margin:32px 0;border:0;border-top:${border}`,
  };

  const styleSheet = `
body, table, td { -webkit-text-size-adjust: 100%; }
h1, h2, h3 { text-wrap: balance; }
li > p { margin-bottom: 8px !important; }
a:focus-visible { outline: 2px solid currentColor; outline-offset: 3px; }
@media (max-width: 480px) {
  .edge { padding: 24px 20px 40px !important; }
  h1 { font-size: 28px !important; }
}
@media (prefers-color-scheme: dark) {
  .surface { background-color: ${dark.surface} !important; }
  .text { color: ${dark.text} !important; }
  .foot { color: ${dark.muted} !important; border-top-color: ${dark.hairline} !important; }
  a, .logo { color: ${dark.accent} !important; }
}
`;
  return { colours, layout, elements, styleSheet };
}
