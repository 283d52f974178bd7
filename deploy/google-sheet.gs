// Writes the messages of the website into the first tab of this spreadsheet. The guide is docs/owner/google-sheet.md.
// Replace the next line by the one that npm run setup shows, or put your own long password between the quotation marks.
const SECRET = '';

const KEY = 'Reference';

function doPost(event) {
  if (!isAllowed(event)) return answer({ stored: false, error: 'wrong secret' });
  const row = JSON.parse(event.postData.contents);
  const lock = LockService.getScriptLock();
  lock.waitLock(8000);
  try {
    const sheet = firstSheet();
    if (!isStored(sheet, row[KEY])) append(sheet, row);
    return answer({ stored: true });
  } finally {
    lock.releaseLock();
  }
}

function doGet(event) {
  if (!isAllowed(event)) return answer({ stored: false, error: 'wrong secret' });
  const { reference } = event.parameter;
  return answer({ found: isStored(firstSheet(), reference) ? reference : null });
}

function isAllowed(event) {
  return SECRET !== '' && event.parameter.secret === SECRET;
}

// A column that was renamed or deleted is added again at the end, so that no part of a message is lost.
function append(sheet, row) {
  const names = headerOf(sheet);
  const missing = Object.keys(row).filter(name => !names.includes(name));
  if (missing.length > 0) sheet.getRange(1, names.length + 1, 1, missing.length).setValues([missing]);
  names.push(...missing);
  const range = sheet.getRange(Math.max(sheet.getLastRow(), 1) + 1, 1, 1, names.length);
  // As text: no cell becomes a formula, a number or a date.
  range.setNumberFormat('@');
  range.setValues([names.map(name => row[name] ?? '')]);
  SpreadsheetApp.flush();
}

function isStored(sheet, reference) {
  const column = headerOf(sheet).indexOf(KEY) + 1;
  if (!reference || column === 0) return false;
  const cells = sheet.getRange(1, column, sheet.getLastRow(), 1);
  return cells.createTextFinder(reference).matchEntireCell(true).findNext() !== null;
}

function headerOf(sheet) {
  return sheet.getLastColumn() === 0 ? [] : sheet.getRange(1, 1, 1, sheet.getLastColumn()).getValues()[0];
}

function firstSheet() {
  return SpreadsheetApp.getActiveSpreadsheet().getSheets()[0];
}

function answer(body) {
  return ContentService.createTextOutput(JSON.stringify(body)).setMimeType(ContentService.MimeType.JSON);
}
