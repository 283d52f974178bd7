import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Copy, copyProject } from './process.ts';
import { publicUrl } from './public-site.ts';
import { root, startSite, type TestSite } from './site.ts';

/** The post that has everything a post may have, and the number of plain ones before it. */
export const fullPost = '/blog/everything-a-post-may-have';
export const plainPosts = 11;

const filler = `${'A sentence that is there to be read, and to make this post as long as a long one. '.repeat(4)}\n`;

const everything = `---
title: Everything a post may have
summary: Each kind of thing that the Markdown of a post can say, once, so that it can be looked at in a browser.
topics:
  - testing
  - web-security
date: 2026-11-02
updated: 2026-11-05
art: web-security
---

The opening of the post has *emphasis*, **weight**, \`inline-code\`, a [link to a page](/creator#web-security), one to
[another site](https://www.example.org/a/rather/long/path/that/has/to/be/broken/somewhere/on/a/sheet/of/paper.html), and a note.[^one]

${filler.repeat(4)}
## A table

| Header | What it does | Seconds |
| --- | :-: | --: |
| \`Strict-Transport-Security\` | Promises to be reached by HTTPS alone | 63072000 |
| [Referrer](/security) | Says nothing to other sites | 0 |

### A heading below it

${filler.repeat(2)}
## Code

\`\`\`http
HTTP/1.1 200 OK
Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='; img-src 'self'
\`\`\`

\`\`\`typescript
/** What it is for. */
export function lock(door: Door, times = 2): boolean {
  return door.turn('left', times) && /closed|locked/.test(door.state); // and try the handle
}
\`\`\`

\`\`\`
no language at all
\`\`\`

## Remarks

> [!NOTE]
> A note, with \`code\` and a [link](/contact).

> [!TIP]
> A tip.

> [!IMPORTANT]
> Something important.

> [!WARNING]
> A warning.

> [!CAUTION]
> Take care:
>
> - first of this
> - then of that

> Words of somebody else.

---

## A picture

![The home page of this site](home.png "What the picture shows.")

${filler}
1. First.
2. Second:
   - inner
   - other

${filler.repeat(3)}
## The end of it

${filler}
The last sentence has a second note[^two] and names the first again.[^one]

[^one]: The first note, with \`code\`.
[^two]: The second, with a [link](/faq).
`;

function plain(number: number): string {
  const topic = number % 2 ? 'defence' : 'testing';
  return `---
title: A plain post of number ${number}
summary: A post with nothing in it but one sentence, written to fill the list of posts, and of number ${number} among them.
topics:
  - ${topic}
date: 2026-09-${day(number)}
---

This one sentence is all that the post of number ${number} says.
`;
}

function day(number: number): string {
  return String(number).padStart(2, '0');
}

/** Replaces the existing posts. */
export function writePosts(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (let number = 1; number <= plainPosts; number += 1)
    writeFileSync(join(folder, `2026-09-${day(number)}-plain-${number}.md`), plain(number));
  writeFileSync(join(folder, '2026-11-02-everything-a-post-may-have.md'), everything);
  cpSync(join(root, 'docs/home.png'), join(folder, 'home.png'));
}

/** A site whose blog has these posts, built once for a file of tests. */
export async function startBlog(): Promise<TestSite> {
  const copy = copyProject();
  writePosts(join(copy.folder, 'content/blog'));
  const site = await startSite({}, {}, await build(copy));
  return {
    ...site,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await copy[Symbol.asyncDispose]();
    },
  };
}

async function build(copy: Copy): Promise<string> {
  const built = copy.start({ SITE_URL: publicUrl }, { script: 'src/cli/build.ts' });
  if ((await built.ended) !== 0) throw new Error(built.output());
  return join(copy.folder, 'dist');
}
