const long = `${'d'.repeat(63)}.`.repeat(3);

/** Domains that both forms take, each as the host name it stands for. */
export const hostNames: Record<string, string> = {
  'example.com': 'example.com',
  'Mail.EXAMPLE.com': 'mail.example.com',
  '1st.a-b.example': '1st.a-b.example',
  'b\u00fccher.example': 'xn--bcher-kva.example',
  'B\u00dcCHER.example': 'xn--bcher-kva.example',
  'xn--bcher-kva.example': 'xn--bcher-kva.example',
  '\u4f8b\u3048.\u30c6\u30b9\u30c8': 'xn--r8jz45g.xn--zckzah',
  '\uff45xample.com': 'example.com',
};

/** Domains that are not a host name, though a URL parser finds one in most of them. */
export const notHostNames: readonly string[] = [
  'b.co/../x?y#z',
  'b.co/',
  'b.co?x',
  'b.co#x',
  'b.co\\x',
  'b.co:25',
  'b%2eco',
  'b\u00fccher.example/../x?y#z',
  'b\u00fccher.example#x',
  'b\u00fccher.ex%61mple',
  'b.co\uff0fx',
  'b.co\uff1fx',
  'b\u2100.co',
  'b_c.co',
  'b!c.co',
  'b$c.co',
  "b'c.co",
  'b{c}.co',
  'b|c.co',
  'b..co',
  '.b.co',
  'b.co.',
  'b.co\u3002',
  '-b.co',
  'b-.co',
  'b.-',
  `${'d'.repeat(64)}.co`,
  `${long}${'d'.repeat(62)}`,
];
