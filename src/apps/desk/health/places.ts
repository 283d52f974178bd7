/** Where the owner mends it: a page of the desk, or a place elsewhere that has no link. */
type Place = { text: string; path?: string };

const words = (file: string, field: string, text: string): Place => ({
  text,
  path: `/words/edit?file=${encodeURIComponent(file)}#field-${field}`,
});
const setting = (name: string): Place => ({ text: `The setting ${name}`, path: `/health/settings/${name}` });
const publish: Place = { text: 'Publish the site', path: '/words/publish' };
const system: Place = { text: 'This machine', path: '/health#system' };
const receivers: Place = { text: 'Receivers', path: '/health#receivers' };
const domain: Place = { text: 'Where your domain is managed' };
const server: Place = { text: 'On the server' };

const company = 'company.yaml';
const brand = 'brand/brand.yaml';

/** Where each launch check is mended, by its name. */
export const places: Record<string, Place> = {
  Content: { text: 'Words and pictures', path: '/words' },
  'Phone number': words(company, 'phone', 'Edit the phone number'),
  'Email address': words(company, 'email', 'Edit the email address'),
  'Postal address': words(company, 'address', 'Edit the address'),
  'Registration details': words(company, 'registration', 'Edit the registration'),
  'VAT number': words(company, 'registration', 'Edit the VAT number'),
  'Governing law': words(company, 'governingLaw', 'Edit the governing law'),
  'Social links': words(brand, 'social', 'Edit the links'),
  'Company name': words(brand, 'name', 'Edit the name'),
  'Copyright year': words(brand, 'copyrightYear', 'Edit the year'),
  Counters: words('home.yaml', 'counters', 'Edit the counters'),
  Claims: words('home.yaml', 'intro', 'Edit the claim'),
  'Company facts': words('contact.yaml', 'about', 'Edit the texts'),
  'Example posts': { text: 'Posts', path: '/words/posts' },
  'Site URL': setting('SITE_URL'),
  'Mail server': setting('SMTP_URL'),
  'Notification address': setting('NOTIFY_EMAIL'),
  'Sender address': setting('MAIL_FROM'),
  Acknowledgement: setting('ACKNOWLEDGEMENT'),
  Sheet: setting('SHEET_URL'),
  'Trusted proxies': setting('TRUSTED_PROXIES'),
  'Direct access': setting('HOST'),
  'Rate limit': setting('RATE_LIMIT'),
  'Data retention': setting('KEEP_MESSAGES_DAYS'),
  Published: publish,
  'security.txt': publish,
  Posts: publish,
  Database: system,
  Durability: system,
  'Data folder': setting('DATA_DIR'),
  'Disk space': setting('MIN_FREE_DISK_MB'),
  Clock: system,
  Backups: { text: 'Backups', path: '/health#backups' },
  'Test message': { text: 'Send a test message', path: '/health#receivers' },
  Receivers: receivers,
  'Failed deliveries': receivers,
  DNS: domain,
  Certificate: server,
  'Site online': server,
  HSTS: setting('HSTS'),
  'HTTP to HTTPS redirect': server,
  CAA: domain,
  SPF: domain,
  DMARC: domain,
};
