export function isExampleHost(host: string): boolean {
  return /(^|\.)(example(\.(com|org|net))?|test|invalid|localhost)\.?$/i.test(host);
}

export function isExampleEmail(address: string): boolean {
  return isExampleHost(address.slice(address.lastIndexOf('@') + 1));
}

export function isExamplePhone(phone: string): boolean {
  const digits = phone.replaceAll(' ', '').replace(/^(\+|00)44/, '0');
  return (
    /^0(2079460|1632960|7700900|8081570|9098790|3069990|1(1[3-8]|[2-6]1)4960|1914980|2896496|2920180)/.test(
      digits,
    ) || /^(\+|00)?1\d{3}55501/.test(digits)
  );
}

export function isExampleAddress(lines: string[]): boolean {
  return lines.some(line => /\bexample\b/i.test(line));
}

/** What the template ships with. Only the owner knows whether it is true of the company. */
export const templateExamples = {
  name: 'Wardhouse',
  copyrightYear: '2020',
  claim: '99% Malware Detection Removal',
  facts: ['UK office', 'finance, healthcare, education and retail'],
  counters: ['458 Cybersecurity Projects', '158 Clients Protection', '50 Team Experts'],
  posts: [
    'what-a-penetration-test-report-should-contain',
    'the-first-week-of-security-in-a-firm-of-twenty',
    'reading-your-own-sites-security-headers',
    'what-to-do-in-the-first-hour-of-an-incident',
  ],
};
