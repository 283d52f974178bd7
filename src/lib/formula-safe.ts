/** What a spreadsheet program may skip before the first character. */
const overlooked = String.raw`[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** The wide and small forms begin a formula in East Asian locales. */
const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫';
const beginsFormula = new RegExp(`^(?:${overlooked}*[${signs}]|[\\t\\r\\n])`, 'u');

/** Every spreadsheet program reads an apostrophe in front as a mark of text. */
export function formulaSafe(text: string): string {
  return beginsFormula.test(text) ? `'${text}` : text;
}

const sign = new RegExp(`[${signs}]`, 'u');
const isOverlooked = new RegExp(overlooked, 'u');
const separator = /[;\t\r\n]/;

/** A program that splits at semicolons or tabs makes several cells of one. One pass: input may be a run of anything. */
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
