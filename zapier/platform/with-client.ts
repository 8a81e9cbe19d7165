import type { Bundle, ZObject } from 'zapier-platform-core';
import { type Client, defineClient, InputError, toOpenClient } from './client-core.ts';
import { readStepInput } from './step-input.ts';
import { getStepRun, withRunTimeout } from './step-run.ts';
import { toZapierError } from './zapier-errors.ts';
import { createZapTransport } from './zapier-transport.ts';

/** Part of a step's context that functions need to make requests. */
export interface ClientStep {
  readonly client: Client;
  readonly z: ZObject;
}

/** Context of a step. */
export interface StepContext<Input extends Record<string, unknown>> extends ClientStep {
  readonly bundle: Bundle<Input>;
  /** Without blank values. */
  readonly input: Input;
}

/**
 * Wraps a function of a step's context, which has a client, as a Zapier method. Translates its errors for the user and
 * ends within Zapier's 30 seconds; a longer wait for the rate limit becomes a `ThrottledError`, so Zapier retries later.
 * The input is read by `inputFields`.
 */
export function withClient<Input extends Record<string, unknown>, Result>(
  perform: (step: StepContext<Input>) => Promise<Result>,
  inputFields: readonly unknown[] = [],
): (z: ZObject, bundle: Bundle<Input>) => Promise<Result> {
  return async (z, bundle) => {
    try {
      const work = async () => {
        const client = createZapClient(z, bundle.authData);
        return perform({ client, z, bundle, input: readStepInput(bundle.inputData, inputFields) });
      };
      return await withRunTimeout(getStepRun(z), work());
    } catch (error) {
      throw toZapierError(z, error);
    }
  };
}

/** @throws InputError for an unusable key or base URL. */
export function createZapClient(z: ZObject, authData: Readonly<Record<string, string | undefined>>): Client {
  const client = defineClient({
    apiKey: readApiKey(authData),
    baseUrl: readBaseUrl(authData),
    transport: createZapTransport(z),
    timeoutMs: 20_000,
    lifetimeMs: Math.max(1, getStepRun(z).remainingMs()),
    maxWaitMs: 8_000,
    // A requested delay is never shortened: one beyond `maxWaitMs` is passed to Zapier.
    retry: { retries: 2, maxDelayMs: 3_600_000 },
  });
  return toOpenClient(client);
}

/** API key without `Bearer `, quotes and spaces that were copied along. */
export function readApiKey(authData: Readonly<Record<string, string | undefined>>): string {
  const stripQuotes = (text: string) => text.replace(/^[\s"'`“”‘’]+|[\s"'`“”‘’]+$/g, '');
  return stripQuotes(stripQuotes(authData['apiKey'] ?? '').replace(/^(authorization\s*:\s*)?bearer\s+/i, ''));
}

/** Base URL of the connection, or the app's default; https if no scheme is given. */
export function readBaseUrl(authData: Readonly<Record<string, string | undefined>>): string {
  const baseUrl = authData['baseUrl']?.replace(/^[\s"'`“”‘’]+|[\s"'`“”‘’]+$/g, '') || process.env['DOCSHARE_BASE_URL'];
  if (!baseUrl)
    throw new InputError(
      'Enter the base URL of your Docshare workspace. Copy it from Settings → API keys; it ends in /api/v1.',
    );
  return /^[a-z]+:\/\//i.test(baseUrl) ? baseUrl : `https://${baseUrl}`;
}
