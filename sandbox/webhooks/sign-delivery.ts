import { type SignEventOptions, signEvent } from '../../src/webhooks/sign-event.ts';
import type { SandboxProfile } from '../profile/switches.ts';

const SCHEMES: Readonly<
  Record<Exclude<SandboxProfile['signature'], 'none'>, Pick<SignEventOptions, 'scheme' | 'header'>>
> = {
  'standard-webhooks': { scheme: 'standard' },
  't-v1': { scheme: 'timed', header: 'x-docshare-signature' },
  hex: { scheme: 'hex', header: 'x-signature' },
  'sha256-hex': { scheme: 'plain', header: 'x-hub-signature-256' },
  base64: { scheme: 'base64', header: 'x-hmac-sha256' },
};

/** Returns the headers that identify and sign an event, in the profile's scheme. */
export function signDelivery(
  event: { id: string; at: number; body: string; secret: string },
  { signature, header }: { signature: SandboxProfile['signature']; header?: string | undefined },
): Record<string, string> {
  if (signature === 'none') return {};
  const { id, at, body, secret } = event;
  const { headers } = signEvent(body, {
    ...SCHEMES[signature],
    ...(header === undefined ? {} : { header }),
    id,
    secret,
    time: new Date(at),
  });
  return signature === 'sha256-hex' ? { ...headers, 'x-delivery-id': id } : headers;
}
