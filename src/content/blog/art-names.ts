/** The art that a post may be shown with: the files of src/site/art, without the one of the page that is not there. */
export const artNames = [
  'computer-security',
  'contact',
  'data-security',
  'locker-security',
  'malware-protection',
  'network-security',
  'shield',
  'web-security',
];

export const commonArt = 'shield';
