import type { Context } from 'hono';

/** The text of each field; '' where there is none. */
export async function readForm(context: Context): Promise<(name: string) => string> {
  const body = await context.req.parseBody();
  return name => {
    const value = body[name];
    return typeof value === 'string' ? value : '';
  };
}
