/** What a spreadsheet program may overlook on its way to the first character: blanks, and what nobody can see. */
const overlooked = String.raw`[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** What begins a formula; the wide and small forms do in East Asian settings. */
const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫';
const beginsFormula = new RegExp(`^(?:${overlooked}*[${signs}]|[\\t\\r\\n])`, 'u');

/** The same text, never a formula: an apostrophe in front is how every spreadsheet program marks a cell as text. */
export function formulaSafe(text: string): string {
  return beginsFormula.test(text) ? `'${text}` : text;
}

const sign = new RegExp(`[${signs}]`, 'u');
const isOverlooked = new RegExp(overlooked, 'u');
const separator = /[;\t\r\n]/;

/**
 * For a file: a program that takes semicolons or tabs for its separators tears our cells apart, and what stood within
 * one then begins another. Quotes there are its own, and not a part of the cell. One pass, because a visitor may send a
 * run of anything.
 */
export function safeWithin(cell: string): string {
  if (!separator.test(cell)) return cell;
  let safe = '';
  let isBeginning = false;
  for (const character of cell) {
    if (isBeginning && sign.test(character)) safe += "'";
    safe += character;
    isBeginning =
      separator.test(character) || (isBeginning && (character === '"' || isOverlooked.test(character)));
  }
  return safe;
}
