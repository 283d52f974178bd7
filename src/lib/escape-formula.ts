const ignoredCharacters = String.raw`[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** In East Asian locales the full-width and small forms begin a formula, too. */
const signs = '=+\\-@＝＋－＠﹦﹢﹣﹫';
const beginsFormula = new RegExp(`^(?:${ignoredCharacters}*[${signs}]|[\\t\\r\\n])`, 'u');

/** Against CSV injection: spreadsheet programs treat a cell that begins with an apostrophe as text. */
export function escapeFormula(text: string): string {
  return beginsFormula.test(text) ? `'${text}` : text;
}

const sign = new RegExp(`[${signs}]`, 'u');
const ignored = new RegExp(ignoredCharacters, 'u');
const separator = /[;\t\r\n]/;

/** For programs that split a cell at semicolons, tabs or line ends. A single pass keeps hostile input linear. */
export function escapeInnerFormulas(cell: string): string {
  if (!separator.test(cell)) return cell;
  let safe = '';
  let isCellStart = false;
  for (const character of cell) {
    if (isCellStart && sign.test(character)) safe += "'";
    safe += character;
    isCellStart =
      separator.test(character) || (isCellStart && (character === '"' || ignored.test(character)));
  }
  return safe;
}
