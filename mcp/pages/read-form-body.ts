import { readRequestBody } from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

const MAX_FORM_BYTES = 64 * 1024;

/**
 * Reads the body of a form or registration. hono's `bodyLimit` would recreate chunked requests, which the
 * requests of `@hono/node-server` don't support.
 * @throws HTTPException 413
 */
export async function readFormBody({ req }: Context): Promise<string> {
  const read = await readRequestBody(req.raw, MAX_FORM_BYTES);
  if (read.tooLarge) throw new HTTPException(413, { message: `A form can have at most ${MAX_FORM_BYTES} bytes.` });
  return read.text;
}
