/** Registrations and requests of real hosts, rebuilt from their public documents. */

import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll } from '../../support/cleanup.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import {
  authorizePath,
  createPerson,
  createPkce,
  registerHost,
  rpcAt,
  tokensAt,
} from '../../support/hosted-visitor.ts';

const DOCUMENTS: Record<string, { client_name: string; redirect_uris: string[] }> = {
  'https://claude.ai/oauth/claude-code-client-metadata': {
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  'https://chatgpt.com/oauth/client.json': {
    client_name: 'ChatGPT',
    redirect_uris: [
      'https://chatgpt.com/connector_platform_oauth_redirect',
      'https://chatgpt.com/aip/g-1/oauth/callback',
    ],
  },
};

const sandbox = await closeAfterAll(createSandbox());
const server = await closeAfterAll(
  openHostedInProcess({
    baseUrl: sandbox.url,
    documents: { fetch: async (id) => ({ client_id: id, ...DOCUMENTS[id] }) },
  }),
);
const url = server.url;

/** Registrations, and the redirects that the same host then requests. */
const REGISTRATIONS: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'Claude',
    {
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    },
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
  ],
  [
    'Cursor',
    {
      redirect_uris: [
        'http://localhost:8787/callback',
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
      ],
      token_endpoint_auth_method: 'none',
    },
    ['http://localhost:8787/callback', 'cursor://anysphere.cursor-mcp/oauth/callback'],
  ],
  [
    'Visual Studio Code',
    {
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    ['https://vscode.dev/redirect', 'http://127.0.0.1:33418/', 'http://127.0.0.1:51234/'],
  ],
];

describe.each(REGISTRATIONS)('%s registers itself', (name, metadata, redirects) => {
  test.each(redirects)('and is redirected to %s', async (redirect) => {
    const { clientId } = await registerHost(url, { client_name: name, ...metadata });
    const host = { clientId, redirect };
    const { tokens } = await tokensAt(url, { key: sandbox.key(), host, groups: ['links'] });
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(200);
  });
});

test.each([
  ['https://claude.ai/oauth/claude-code-client-metadata', 'http://localhost:53211/callback', 'Not verified.'],
  [
    'https://chatgpt.com/oauth/client.json',
    'https://chatgpt.com/aip/g-1/oauth/callback',
    'Published by <strong>chatgpt.com/oauth/client.json',
  ],
])(
  '%s is published, and the user sees this unless any program could have made the request (%s)',
  async (clientId, redirect, words) => {
    const host = { clientId, redirect };
    const page = await createPerson(url).load(authorizePath(host, { code_challenge: createPkce().challenge }));
    expect(page.html).toContain(words);
    const { tokens } = await tokensAt(url, { key: sandbox.key(), host, groups: ['links'] });
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(200);
  },
);

test.each([
  ['http://localhost:1/other', 'another path'],
  ['http://[::1]:1/callback', 'another name of this computer'],
  ['https://localhost:1/callback', 'another scheme'],
  ['http://localhost:1@evil.example/callback', 'a name that only looks like it'],
])('the exception for local ports does not allow %s (%s)', async (redirect) => {
  const host = { clientId: 'https://claude.ai/oauth/claude-code-client-metadata', redirect };
  const page = await createPerson(url).load(authorizePath(host, { code_challenge: createPkce().challenge }));
  expect(page.status).toBe(400);
});

const upper = `HTTP${url.slice('http'.length)}/mcp`;
test.each([undefined, '', url, `${url}/`, `${url}/mcp`, `${url}/mcp/`, upper])(
  'the resource %s is this server',
  async (resource) => {
    const { tokens } = await tokensAt(url, { key: sandbox.key(), query: { resource }, groups: ['links'] });
    expect((await rpcAt(url, tokens.access_token, 'tools/list')).status).toBe(200);
  },
);
