import type { Context } from 'hono';
import { createFieldRejection } from '../handlers/request-body.ts';
import type { Env } from '../server/exchange.ts';
import { readBodyBytes } from '../server/read-bytes.ts';

const FORM_LIMIT_BYTES = 16 * 1024;

/** Returns the text fields of a form; of repeated names, the last one. */
export async function readPageForm(context: Context<Env>): Promise<ReadonlyMap<string, string>> {
  const { incoming } = context.env;
  const bytes = await readBodyBytes(incoming, FORM_LIMIT_BYTES);
  const type = incoming.headers['content-type'] ?? 'application/x-www-form-urlencoded';
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData().catch(() => {
    throw createFieldRejection([{ field: '', message: 'It is not a form' }]);
  });
  return new Map([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])));
}
