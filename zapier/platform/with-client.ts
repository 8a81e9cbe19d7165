import type { Bundle, ZObject } from 'zapier-platform-core';
import { type Client, defineClient, InputError } from './client-core.ts';
import { getStepRun, withRunTimeout } from './step-run.ts';
import { toZapierError } from './zapier-errors.ts';
import { createZapTransport } from './zapier-transport.ts';

/** What a step gets besides the client. */
export interface StepContext<Input extends Record<string, unknown>> {
  readonly z: ZObject;
  readonly bundle: Bundle<Input>;
  readonly input: Input;
}

/**
 * Makes a platform method out of a function over the core's client; whatever it throws is explained to the user once,
 * here. Whatever is slow, it ends under the platform's 30 s in words of its own; a longer wait for the rate limit becomes
 * a `ThrottledError`, and the platform comes back.
 */
export function withClient<Input extends Record<string, unknown>, Result>(
  perform: (client: Client, step: StepContext<Input>) => Promise<Result>,
): (z: ZObject, bundle: Bundle<Input>) => Promise<Result> {
  return async (z, bundle) => {
    try {
      const work = async () =>
        perform(createZapClient(z, bundle.authData), { z, bundle, input: bundle.inputData });
      return await withRunTimeout(getStepRun(z), work());
    } catch (error) {
      throw toZapierError(z, error);
    }
  };
}

/** @throws InputError for an unusable key or base URL. */
export function createZapClient(z: ZObject, authData: Readonly<Record<string, string | undefined>>): Client {
  return defineClient({
    apiKey: readApiKey(authData),
    baseUrl: readBaseUrl(authData),
    transport: createZapTransport(z),
    timeoutMs: 20_000,
    lifetimeMs: Math.max(1, getStepRun(z).remainingMs()),
    maxWaitMs: 8_000,
    // No delay of the service's own is cut short: one beyond `maxWaitMs` is handed to the platform.
    retry: { retries: 2, maxDelayMs: 3_600_000 },
  });
}

/** The key without what comes along when it is copied: `Bearer `, quotes, blanks. */
export function readApiKey(authData: Readonly<Record<string, string | undefined>>): string {
  const stripQuotes = (text: string) => text.replace(/^[\s"'`“”‘’]+|[\s"'`“”‘’]+$/g, '');
  return stripQuotes(stripQuotes(authData['apiKey'] ?? '').replace(/^(authorization\s*:\s*)?bearer\s+/i, ''));
}

/** The connection's base URL, else the app's own from its environment; an address without a scheme means https. */
export function readBaseUrl(authData: Readonly<Record<string, string | undefined>>): string {
  const baseUrl =
    authData['baseUrl']?.replace(/^[\s"'`“”‘’]+|[\s"'`“”‘’]+$/g, '') || process.env['DOCSHARE_BASE_URL'];
  if (!baseUrl)
    throw new InputError(
      'Enter the base URL of your Docshare workspace: it ends in /api/v1 and stands in Settings → API keys.',
    );
  return /^[a-z]+:\/\//i.test(baseUrl) ? baseUrl : `https://${baseUrl}`;
}
