import { createHmac } from 'node:crypto';
import type { Profile } from '../profile/switches.ts';

/** The headers that identify and sign an event's body, in the scheme of the profile. */
export function signEvent(
  input: { id: string; at: number; body: string; secret: string },
  profile: Profile,
): Record<string, string> {
  const { id, body, secret } = input;
  const seconds = String(Math.floor(input.at / 1000));
  const hmac = (key: string | Uint8Array, text: string) => createHmac('sha256', key).update(text);
  switch (profile.signature) {
    case 'standard-webhooks': {
      const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
      const signature = hmac(key, `${id}.${seconds}.${body}`).digest('base64');
      return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
    }
    case 't-v1': {
      const signature = hmac(secret, `${seconds}.${body}`).digest('hex');
      return { 'x-docshare-signature': `t=${seconds},v1=${signature}` };
    }
    case 'hex':
      return { 'x-signature': hmac(secret, body).digest('hex') };
    case 'sha256-hex':
      return { 'x-hub-signature-256': `sha256=${hmac(secret, body).digest('hex')}`, 'x-delivery-id': id };
    case 'base64':
      return { 'x-hmac-sha256': hmac(secret, body).digest('base64') };
    case 'none':
      return {};
  }
  throw new Error(`No signature scheme "${profile.signature}"`);
}
