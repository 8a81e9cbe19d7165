import { readRequestBody } from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';

const MAX_FORM_BYTES = 64 * 1024;

/**
 * The body of a form or of a registration. Not hono's own `bodyLimit`: it makes a new request of each that comes in
 * pieces, which the requests of `@hono/node-server` can't be made into.
 * @throws HTTPException 413
 */
export async function readFormBody({ req }: Context): Promise<string> {
  const read = await readRequestBody(req.raw, MAX_FORM_BYTES);
  if (read.tooLarge) throw new HTTPException(413, { message: `A form has ${MAX_FORM_BYTES} bytes at most.` });
  return read.text;
}
