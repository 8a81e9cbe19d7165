import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernHttp,
  UnauthorizedError as ModernUnauthorized,
} from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../../sandbox/index.ts';
import { closeAfterAll, closeAfterTest } from '../../support/cleanup.ts';
import { CALLBACK, registerHost } from '../../support/hosted-oauth.ts';
import { openHostedInProcess } from '../../support/hosted-server.ts';
import { createPerson } from '../../support/hosted-visitor.ts';
import { tools as menu } from '../../support/mcp-parts.ts';

/** A client that identifies itself with a document at this URL. */
const DOCUMENT = 'https://host.example/client.json';
const sandbox = await closeAfterAll(createSandbox());
const document = { client_id: DOCUMENT, client_name: 'Host', redirect_uris: [CALLBACK] };
const server = await closeAfterAll(
  openHostedInProcess({ baseUrl: sandbox.url, documents: { fetch: async () => document } }),
);

/** The user at the pages, for any host: enters a key and allows everything. */
async function allowAt(address: URL): Promise<URL> {
  const person = createPerson(server.url);
  const first = await person.load(`${address.pathname}${address.search}`);
  const second = await person.post('/authorize', { form: first.field('form'), api_key: sandbox.key() });
  const groups = [...second.html.matchAll(/name="group" value="(\w+)"/g)].map(
    ([, group = '']) => ['group', group] as const,
  );
  const last = await person.post('/authorize', [
    ['form', second.field('form')],
    ['decision', 'allow'],
    ['changes', 'yes'],
    ...groups,
  ]);
  return last.back();
}

/** The storage of a host, the same for both major versions of the SDK. */
function createProvider(clientMetadataUrl?: string) {
  const kept = new Map<string, unknown>();
  return {
    kept,
    sentTo: () => kept.get('sent to') as URL | undefined,
    provider: {
      redirectUrl: CALLBACK,
      ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
      clientMetadata: { client_name: 'SDK', redirect_uris: [CALLBACK], scope: undefined },
      state: () => 'of the host',
      clientInformation: () => kept.get('client') as never,
      saveClientInformation: (client: unknown) => void kept.set('client', client),
      tokens: () => kept.get('tokens') as never,
      saveTokens: (tokens: unknown) => void kept.set('tokens', tokens),
      redirectToAuthorization: (url: URL) => void kept.set('sent to', url),
      saveCodeVerifier: (verifier: string) => void kept.set('verifier', verifier),
      codeVerifier: () => String(kept.get('verifier')),
      discoveryState: () => kept.get('discovery') as never,
      saveDiscoveryState: (state: unknown) => void kept.set('discovery', state),
    },
  };
}

const info = { name: 't', version: '1' };

describe.each([
  ['registered', undefined],
  ['with a metadata document', DOCUMENT],
])('a client that is %s', (_, document) => {
  test('of SDK 1.x signs in, calls, and refreshes', async () => {
    const { provider, sentTo, kept } = createProvider(document);
    const open = () => new LegacyHttp(new URL(`${server.url}/mcp`), { authProvider: provider as never });
    const transport = open();
    await expect(new LegacyClient(info).connect(transport as never)).rejects.toThrow(UnauthorizedError);
    const back = await allowAt(sentTo() ?? new URL('about:blank'));
    expect(back.searchParams.get('state')).toBe('of the host');
    await transport.finishAuth(back.searchParams.get('code') ?? '');
    const client = await closeAfterTest(new LegacyClient(info));
    await client.connect(open() as never);
    expect((await client.listTools()).tools).toHaveLength(menu.length);
    expect((await client.callTool({ name: 'get_usage' })).isError).toBeFalsy();
    // A token that this server no longer knows: the client refreshes by itself.
    const before = kept.get('tokens') as { refresh_token: string };
    kept.set('tokens', { ...before, access_token: 'gone' });
    expect((await client.callTool({ name: 'get_usage' })).isError).toBeFalsy();
    expect((kept.get('tokens') as { refresh_token: string }).refresh_token).not.toBe(before.refresh_token);
  });

  test.each(['legacy', 'modern'] as const)('of SDK 2.x signs in and calls, %s', async (era) => {
    const { provider, sentTo } = createProvider(document);
    const open = () => new ModernHttp(new URL(`${server.url}/mcp`), { authProvider: provider as never });
    const mode = era === 'modern' ? { pin: '2026-07-28' as const } : ('legacy' as const);
    const start = () => new ModernClient(info, { versionNegotiation: { mode } });
    const transport = open();
    await expect(start().connect(transport)).rejects.toThrow(ModernUnauthorized);
    const back = await allowAt(sentTo() ?? new URL('about:blank'));
    await transport.finishAuth(back.searchParams);
    const client = await closeAfterTest(start());
    await client.connect(open());
    expect((await client.listTools()).tools).toHaveLength(menu.length);
    expect((await client.callTool({ name: 'get_usage' })).isError).toBeFalsy();
  });
});

test('an independent validator finds every response of the flow compliant with the standards', async () => {
  const loopback = { [oauth.allowInsecureRequests]: true };
  const resource = new URL(`${server.url}/mcp`);
  const protectedResource = await oauth.processResourceDiscoveryResponse(
    resource,
    await oauth.resourceDiscoveryRequest(resource, loopback),
  );
  expect(protectedResource.authorization_servers).toEqual([server.url]);
  const issuer = new URL(server.url);
  const as = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...loopback }),
  );
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      as,
      { redirect_uris: [CALLBACK], client_name: 'Judge', token_endpoint_auth_method: 'none' },
      loopback,
    ),
  );
  const client: oauth.Client = { client_id: registered.client_id, token_endpoint_auth_method: 'none' };
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const address = new URL(as.authorization_endpoint ?? '');
  address.search = `${new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource: resource.href,
  })}`;
  const answer = oauth.validateAuthResponse(as, client, await allowAt(address), state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    as,
    client,
    await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), answer, CALLBACK, verifier, {
      ...loopback,
      additionalParameters: { resource: resource.href },
    }),
  );
  const refreshed = await oauth.processRefreshTokenResponse(
    as,
    client,
    await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token ?? '', loopback),
  );
  await oauth.processRevocationResponse(
    await oauth.revocationRequest(as, client, oauth.None(), refreshed.access_token, loopback),
  );
  await expect(
    oauth.protectedResourceRequest(refreshed.access_token, 'POST', resource, new Headers(), '{}', loopback),
  ).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
});

test('the conformance suite accepts the authorization server', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => probe.once('listening', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const { clientId } = await registerHost(server.url, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const suite = fileURLToPath(new URL('../../../node_modules/.bin/conformance', import.meta.url));
  const args = [suite, 'authorization', '--url', server.url, '--client-id', clientId, '-p', String(port)];
  const said = await new Promise<string>((resolve) => {
    const child = execFile(
      process.execPath,
      [...args, '--resource', `${server.url}/mcp`, '--spec-version', '2026-07-28'],
      { timeout: 60_000 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
    // The suite prints a URL for a user and waits at its own callback.
    let seen = '';
    let sent = false;
    child.stdout?.on('data', async (chunk: string) => {
      seen += chunk;
      const address = /^http\S+\/authorize\?\S+$/m.exec(seen)?.[0];
      if (sent || address === undefined || !seen.includes('Waiting')) return;
      sent = true;
      await fetch(await allowAt(new URL(address)));
    });
  });
  expect(said).toMatch(/authorization-server-metadata-endpoint: \d+ passed, 0 failed/);
  expect(said).toMatch(/authorization-code-grant: 1 passed, 0 failed/);
  expect(said).toMatch(/Total: \d+ passed, 0 failed/);
}, 90_000);
