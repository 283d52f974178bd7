/** What a spreadsheet program may overlook on its way to the first character: blanks, and what nobody can see. */
const overlooked = String.raw`[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** What begins a formula; the wide and small forms do in East Asian settings. */
const beginsFormula = new RegExp(`^(?:${overlooked}*[=+\\-@＝＋－＠﹦﹢﹣﹫]|[\\t\\r\\n])`, 'u');

/** The same text, never a formula: an apostrophe in front is how every spreadsheet program marks a cell as text. */
export function formulaSafe(text: string): string {
  return beginsFormula.test(text) ? `'${text}` : text;
}
