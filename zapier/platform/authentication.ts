import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { API_KEYS_URL } from '../../src/assumptions/index.ts';
import {
  ApiError,
  InputError,
  type JsonObject,
  NetworkError,
  type Page,
  PermissionError,
  RateLimitError,
  ServerError,
} from './client-core.ts';
import { isKeyError, isScopeError, quoteResponse } from './error-messages.ts';
import { type ClientStep, readApiKey, readBaseUrl, type StepContext, withClient } from './with-client.ts';
import { findWorkspaceName } from './workspace-name.ts';
import { createZapTransport } from './zapier-transport.ts';

/** Lists that are read to test a connection; its label names the readable ones. */
const PROBES = ['documents', 'links', 'rooms', 'agreements', 'contacts'] as const;

/** Published copy of "Permissions per step" in docs/zapier.md. Set it before the app is published. */
const PERMISSIONS_URL = 'https://docshare.example.com/docs/zapier#permissions-per-step';

interface ConnectionTestResult {
  readonly host: string;
  /** Name of the workspace, if the service's lists show it. */
  readonly workspace?: string;
  /** Names of the probes that the key can read; empty for a key with other scopes. */
  readonly readable: readonly string[];
}

/**
 * Accepts a key with any scope (§5: no call is open to every key): one successful read is enough. If all reads fail, their
 * errors and a request without a key distinguish a limited key from an invalid one.
 */
async function testConnection({ client, z, bundle }: StepContext<JsonObject>): Promise<ConnectionTestResult> {
  const { host } = new URL(client.baseUrl);
  const results = await Promise.allSettled(
    PROBES.map((name): PromiseLike<Page<JsonObject>> => client[name].list({}, { retries: 0 })),
  );
  const readable = PROBES.filter((_, index) => results[index]?.status === 'fulfilled');
  const pages = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  const workspace = findWorkspaceName(pages);
  const showsWorkspace = workspace !== undefined && !workspace.includes(readApiKey(bundle.authData));
  if (readable.length > 0) return { host, readable, ...(showsWorkspace ? { workspace } : {}) };
  const errors = results.flatMap((result): unknown => (result.status === 'rejected' ? result.reason : []));
  // An error that names a permission means that the key is known.
  if (errors.some((error) => error instanceof ApiError && isScopeError(error))) return { host, readable };
  const decisiveError =
    errors.find(isKeyError) ??
    errors.find((error) => error instanceof RateLimitError || error instanceof NetworkError) ??
    errors.find((error) => error instanceof ServerError) ??
    errors.find((error) => !(error instanceof PermissionError));
  if (isKeyError(decisiveError))
    throw new InputError(
      'Docshare does not know this API key: it has a typo or was revoked. Copy it again from Settings → API keys.',
    );
  if (decisiveError !== undefined) throw decisiveError;
  if (await isForbiddenWithoutKey({ client, z }))
    throw new InputError(
      `Docshare rejected every request with this API key${errors[0] instanceof ApiError ? quoteResponse(errors[0]) : ''}. Check the key in Settings → API keys, and grant it the permissions that your Zaps need.`,
    );
  return { host, readable: [] };
}

/** True if a request without a key gets the same 403: then nothing shows that the key is valid. */
async function isForbiddenWithoutKey({ client, z }: ClientStep): Promise<boolean> {
  const response = await createZapTransport(z)({
    method: 'GET',
    url: `${client.baseUrl}/documents`,
    headers: { accept: 'application/json' },
  });
  return response.status === 403;
}

/** Names the account by workspace, host and readable records; the input is the result of the connection test. */
async function getConnectionLabel(_z: ZObject, bundle: Bundle): Promise<string> {
  const { host, readable, workspace } = bundle.inputData as Partial<ConnectionTestResult>;
  const server = host ?? new URL(readBaseUrl(bundle.authData)).host;
  const accountName = workspace ? `${workspace} at ${server}` : server;
  const names = Array.isArray(readable) ? readable : [];
  if (names.length === 0) return `${accountName} (limited key)`;
  return `${accountName} (can read ${names.join(', ')})`;
}

export const authentication: Authentication = {
  type: 'custom',
  fields: [
    {
      key: 'apiKey',
      label: 'API Key',
      type: 'password',
      required: true,
      helpText: `Create a key in Docshare under [Settings → API keys](${API_KEYS_URL}). Grant only the [permissions that your Zaps need](${PERMISSIONS_URL}), for example links:read and links:write for Create Link.`,
    },
    {
      key: 'baseUrl',
      label: 'Base URL',
      type: 'string',
      required: false,
      helpText: 'Copy it from Settings → API keys in Docshare. It ends in `/api/v1`.',
    },
  ],
  test: withClient(testConnection),
  connectionLabel: getConnectionLabel,
};
