import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

/** The user agent of deliveries. */
export const WEBHOOK_USER_AGENT = 'docshare-sandbox-webhooks/1';

const RESPONSE_TIMEOUT_MS = 10_000;

/** Posts one event. Redirects are not followed: only the registered URL receives it. */
export function postEvent(input: {
  url: string;
  body: string;
  headers: Record<string, string>;
  /** Aborts the attempt when the sandbox closes. */
  signal: AbortSignal;
}): Promise<{ status: number | null; error: string | null }> {
  const toResult = (status: number | null, error: string | null) => ({ status, error });
  const result = new Promise<ReturnType<typeof toResult>>((resolve) => {
    const send = input.url.startsWith('https:') ? requestHttps : requestHttp;
    const outgoing = send(input.url, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(input.body),
        'user-agent': WEBHOOK_USER_AGENT,
        ...input.headers,
      },
      signal: AbortSignal.any([input.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    });
    outgoing.on('response', (incoming) => {
      incoming.resume();
      incoming.on('close', () => resolve(toResult(incoming.statusCode ?? null, null)));
    });
    outgoing.on('error', (error) => resolve(toResult(null, error.message)));
    outgoing.end(input.body);
  });
  // A URL that Node can't call is a failed attempt like any other.
  return result.catch((error: Error) => toResult(null, error.message));
}
