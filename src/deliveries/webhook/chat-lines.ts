import { assertForOwner, type Parcel } from '../delivery.ts';
import { visibleLine, visibleLines } from '../visible.ts';

/** A parcel for a chat: lines of ours, and lines that show what the visitor wrote. */
export type ChatText = { title: string; lines: string[] };

/** In a card of Teams, at most 28 KB, a letter may take ten bytes. */
const most = { letters: 1500, lines: 40, field: 254 };

/** Short enough for any chat; what is left out stays in the database, and the text says so. */
export function chatText(parcel: Parcel, isPossiblyTwice: boolean): ChatText {
  assertForOwner(parcel);
  const { reference } = parcel;
  const mark = isPossiblyTwice ? ['(possibly twice: same reference)'] : [];
  const { lines, isShort } = shorten(parcel.kind === 'notice' ? parcel.text : parcel.message);
  const more = isShort ? ['(shortened: the whole text is in the database)'] : [];
  if (parcel.kind === 'notice') {
    return { title: parcel.title, lines: [...lines, ...more, `Reference: ${reference}`, ...mark] };
  }
  const fields = [
    ['Name', parcel.name],
    ['E-mail', parcel.email],
    ['Service', parcel.service],
  ].flatMap(([label, value = '']) =>
    value.trim() ? [`${label}: ${visibleLine(cut(value.trim(), most.field))}`] : [],
  );
  return {
    title: `Website message ${reference}`,
    lines: [...fields, ...lines.map(line => `| ${line}`.trimEnd()), ...more, ...mark],
  };
}

function shorten(text: string): { lines: string[]; isShort: boolean } {
  const whole = text.trimEnd();
  const short = cut(whole, most.letters);
  const lines = visibleLines(short);
  return { lines: lines.slice(0, most.lines), isShort: short !== whole || lines.length > most.lines };
}

function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length).join('')}…` : text;
}
