import type { Context } from 'hono';

export function readQuery(context: Context): URLSearchParams {
  return new URL(context.req.url).searchParams;
}

const maxReferences = 1000;

export function readReferences(form: { getAll(name: string): unknown[] }): string[] {
  const given = form.getAll('reference').map(one => String(one).trim().toUpperCase());
  return [...new Set(given.filter(one => /^[0-9A-Z]{5}-[0-9A-Z]{5}$/.test(one)))].slice(0, maxReferences);
}
