import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const dayMs = 86_400_000;
const lastDay = Date.UTC(2025, 11, 31);

/** Puts so many posts in the place of the owner's: about 800 words each, in the words of those, and no two alike. */
export function writePosts(content: string, count: number): void {
  const folder = join(content, 'blog');
  const sources = readdirSync(folder).filter(name => name.endsWith('.md'));
  const words = sources.flatMap(name => wordsOf(readFileSync(join(folder, name), 'utf8')));
  const yaml = readFileSync(join(content, 'blog.yaml'), 'utf8');
  const topics = Array.from(yaml.matchAll(/- slug: (\S+)/g), ([, slug]) => slug);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  for (let number = 1; number <= count; number += 1) {
    const random = createRandom(number);
    const say = (length: number) =>
      Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(' ');
    const day = new Date(lastDay - Math.floor(number / 2) * dayMs).toISOString().slice(0, 10);
    const paragraphs = Array.from({ length: 4 }, () => `${say(60)}.`).join('\n\n');
    const text = [
      '---',
      `title: Post ${number} on ${say(2).slice(0, 14).trim()}`,
      `summary: "Post ${number}: ${`${say(20)} and all that is to be said on it`.slice(0, 90).trim()}, told in full."`,
      `topics: [${[topics[number % topics.length], topics[(number + 1) % topics.length]].join(', ')}]`,
      `date: ${day}`,
      '---',
      ...[1, 2, 3].flatMap(part => [`## Part ${part}: ${say(3)}`, '', paragraphs, '']),
      `- ${say(12)}\n- ${say(12)}\n- ${say(12)}`,
      '',
      '> [!NOTE]',
      `> ${say(20)}.`,
      '',
      `| What | Why |\n| --- | --- |\n| ${say(3)} | ${say(4)} |\n| ${say(3)} | ${say(4)} |`,
      '',
      '```bash',
      `curl -sI https://www.example.com/${number} | grep -i policy # ${say(3)}`,
      '```',
    ];
    writeFileSync(join(folder, `${day}-post-${number}.md`), `${text.join('\n')}\n`);
  }
}

/** What is neither a mark of Markdown nor the place of a fact. */
function wordsOf(text: string): string[] {
  return text
    .split(/^---$/m)
    .slice(2)
    .join(' ')
    .split(/\s+/)
    .filter(word => /^[A-Za-z][a-z’]*[,.]?$/.test(word))
    .map(word => word.replace(/[.,]$/, ''));
}

function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
