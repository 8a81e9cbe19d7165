import type { Authentication, Bundle, ZObject } from 'zapier-platform-core';
import { API_KEYS_URL } from '../../src/assumptions/index.ts';
import {
  ApiError,
  AuthenticationError,
  type Client,
  InputError,
  type JsonObject,
  NetworkError,
  type Page,
  PermissionError,
  RateLimitError,
  ServerError,
} from './client-core.ts';
import { isScopeError } from './error-messages.ts';
import { readApiKey, readBaseUrl, type StepContext, withClient } from './with-client.ts';
import { findWorkspaceName } from './workspace-name.ts';
import { createZapTransport } from './zapier-transport.ts';

/** Cheap reads by the words that the connection's label uses; one more request may follow them. */
const PROBES: Readonly<Record<string, (client: Client) => PromiseLike<Page<JsonObject>>>> = {
  documents: (client) => client.documents.list({}, NO_RETRIES),
  links: (client) => client.links.list({}, NO_RETRIES),
  rooms: (client) => client.rooms.list({}, NO_RETRIES),
  agreements: (client) => client.agreements.list({}, NO_RETRIES),
  contacts: (client) => client.contacts.list({}, NO_RETRIES),
};
const NO_RETRIES = { retries: 0 };

interface ConnectionTestResult {
  /** Host of the base URL. */
  readonly host: string;
  /** What the service calls the workspace, where its lists say so. */
  readonly workspace?: string;
  /** What the key can read, of the words above; a key of other scopes reads none of them. */
  readonly readable: readonly string[];
}

/**
 * Accepts a key of any scope (§5: there is no call that every key may make): some cheap reads are asked at once, and one
 * answer is enough. A key that may do none of them is told from a dead one by what the refusals say, and by asking
 * without a key.
 */
async function testConnection(
  client: Client,
  { z, bundle }: StepContext<Record<string, unknown>>,
): Promise<ConnectionTestResult> {
  const { host } = new URL(client.baseUrl);
  const results = await Promise.all(
    Object.entries(PROBES).map(async ([name, probe]) => {
      try {
        return { name, page: await probe(client), error: undefined };
      } catch (error) {
        return { name, page: undefined, error };
      }
    }),
  );
  const readable = results.filter(({ error }) => error === undefined).map(({ name }) => name);
  const pages = results.flatMap(({ page }) => page ?? []);
  const workspace = findWorkspaceName(pages);
  const showsWorkspace = workspace !== undefined && !workspace.includes(readApiKey(bundle.authData));
  if (readable.length > 0) return { host, readable, ...(showsWorkspace ? { workspace } : {}) };
  const errors = results.map(({ error }) => error);
  // What names a permission knows the key.
  if (errors.some((error) => error instanceof ApiError && isScopeError(error))) return { host, readable };
  const decisiveError =
    errors.find((error) => error instanceof AuthenticationError) ??
    errors.find((error) => error instanceof RateLimitError || error instanceof NetworkError) ??
    errors.find((error) => error instanceof ServerError) ??
    errors.find((error) => !(error instanceof PermissionError));
  if (decisiveError instanceof AuthenticationError)
    throw new InputError(
      'Docshare does not know this API key: it is mistyped, or was revoked. Copy it again from Settings → API keys.',
    );
  if (decisiveError !== undefined) throw decisiveError;
  if (await isForbiddenWithoutKey(z, client))
    throw new InputError(
      'Docshare refused this API key everywhere. Check it in Settings → API keys, and give it the scopes that your Zaps need.',
    );
  return { host, readable: [] };
}

/** Whether a request without a key gets the very answer (403) that the key got: then nothing shows that the key lives. */
async function isForbiddenWithoutKey(z: ZObject, client: Client): Promise<boolean> {
  const response = await createZapTransport(z)({
    method: 'GET',
    url: `${client.baseUrl}/documents`,
    headers: { accept: 'application/json' },
  });
  return response.status === 403;
}

/** Names the account by its workspace, its host and what the key can do; the platform gives what the test returned as input. */
async function connectionLabel(_z: ZObject, bundle: Bundle): Promise<string> {
  const { host, readable, workspace } = bundle.inputData as Partial<ConnectionTestResult>;
  const server = host ?? new URL(readBaseUrl(bundle.authData)).host;
  const accountName = workspace ? `${workspace} at ${server}` : server;
  const names = Array.isArray(readable) ? readable : [];
  if (names.length === 0) return `${accountName} (a key of few scopes)`;
  return `${accountName} (reads ${names.join(', ')})`;
}

export const authentication: Authentication = {
  type: 'custom',
  fields: [
    {
      key: 'apiKey',
      label: 'API Key',
      type: 'password',
      required: true,
      helpText: `Make one in Docshare under [Settings → API keys](${API_KEYS_URL}). Grant it only the scopes that your Zaps need.`,
    },
    {
      key: 'baseUrl',
      label: 'Base URL',
      type: 'string',
      required: false,
      helpText:
        "The address of your workspace's API: it ends in `/api/v1` and stands in Docshare under Settings → API keys.",
    },
  ],
  test: withClient(testConnection),
  connectionLabel,
};
