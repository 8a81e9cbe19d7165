import { createHmac, randomUUID } from 'node:crypto';
import { InputError } from '../errors.ts';
import { keysOf } from './signature.ts';

export interface SignEventOptions {
  readonly secret: string;
  /**
   * `standard`: Standard Webhooks; `svix`: the same under its older names; `timed`: `t=…,v1=…`; `plain`: `sha256=…`.
   * `standard` unless told.
   */
  readonly scheme?: 'standard' | 'svix' | 'timed' | 'plain';
  /** Id of the delivery; a new one unless told. */
  readonly id?: string;
  /** When it was signed; now unless told. */
  readonly time?: Date;
}

/**
 * Makes a signed delivery, for tests of a webhook receiver: what comes back can be handed to `parseEvent` or posted.
 * @param event sent as JSON; a text is sent exactly as it is.
 * @throws InputError for an empty secret.
 */
export function signEvent(
  event: unknown,
  options: SignEventOptions,
): { body: string; headers: Record<string, string> } {
  const { scheme = 'standard', id = `msg_${randomUUID()}`, time = new Date() } = options;
  const body = typeof event === 'string' ? event : JSON.stringify(event);
  const timestamp = String(Math.floor(time.getTime() / 1000));
  const [key] = keysOf(options.secret);
  if (!key) throw new InputError('The signing secret is empty.');
  const hmac = (content: string) => createHmac('sha256', key).update(content);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (scheme === 'plain') headers['x-signature'] = `sha256=${hmac(body).digest('hex')}`;
  else if (scheme === 'timed')
    headers['x-webhook-signature'] = `t=${timestamp},v1=${hmac(`${timestamp}.${body}`).digest('hex')}`;
  else {
    const prefix = scheme === 'svix' ? 'svix' : 'webhook';
    headers[`${prefix}-id`] = id;
    headers[`${prefix}-timestamp`] = timestamp;
    headers[`${prefix}-signature`] = `v1,${hmac(`${id}.${timestamp}.${body}`).digest('base64')}`;
  }
  return { body, headers };
}
