export type PolicySettings = {
  connectOrigins?: string[];
  styles?: string[];
};

export function contentSecurityPolicy({ connectOrigins = [], styles = [] }: PolicySettings): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    ["style-src 'self'", ...styles.map(digest => `'${digest}'`)].join(' '),
    "img-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(' '),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
