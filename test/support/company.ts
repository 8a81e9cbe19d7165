/** A company whose employees and agents sign in to a hosted server. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';
import { sealSecret } from '../../mcp/hosted/organization/organization-file.ts';
import { createSandbox, type Sandbox } from '../../sandbox/index.ts';
import { closeAfterTest } from './cleanup.ts';
import { openHostedInProcess, SECRET } from './hosted-server.ts';
import { startServer } from './start-server.ts';

export type Json = Record<string, unknown>;
/** With characters that some clients encode in a header and others don't. */
export const APP = { client_id: 'claude-enterprise', secret: 'secret+of:the%41app/=' };
export const APP_FORM = {
  grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  client_id: APP.client_id,
  client_secret: APP.secret,
};
export const AGENT = { client_id: 'nightly-report', secret: 'secret+of:the%41agent' };

/** An identity provider whose keys a test can rotate. */
async function openIdentityProvider() {
  const create = async (kid: string) => ({ kid, pair: await generateKeyPair('ES256', { extractable: true }) });
  let current = await create('first');
  let isEndless = false;
  let sentBytes = 0;
  const server = createServer(async (_, response) => {
    const chunk = Buffer.alloc(64 * 1024, ' ');
    const endless = Readable.from(
      (function* () {
        for (; ; sentBytes += chunk.byteLength) yield chunk;
      })(),
    );
    if (isEndless) return void endless.pipe(response);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ keys: [{ ...(await exportJWK(current.pair.publicKey)), kid: current.kid, alg: 'ES256' }] }),
    );
  });
  const { origin: issuer, close } = await startServer(server);
  let count = 0;
  return {
    issuer,
    close,
    getSentBytes: () => sentBytes,
    sendEndlessKeys: () => {
      isEndless = true;
    },
    rotate: async () => {
      current = await create('second');
    },
    /** An assertion (ID-JAG) for an employee; claims set to undefined are left out. */
    assert(url: string, claims: Json = {}, { typ = 'oauth-id-jag+jwt', signer = current } = {}) {
      count += 1;
      const now = Math.floor(Date.now() / 1000);
      const payload = {
        ...{ iss: issuer, sub: 'employee-1', aud: url, resource: `${url}/mcp`, client_id: APP.client_id },
        ...{ jti: `assertion-${count}`, iat: now, exp: now + 300, groups: ['everyone', 'sales'], ...claims },
      };
      return new SignJWT(payload as JWTPayload)
        .setProtectedHeader({ alg: 'ES256', typ, kid: signer.kid })
        .sign(signer.pair.privateKey);
    },
    stranger: () => create('first'),
  };
}

/** A company with an identity provider, three roles and two agents, and a server for it. */
export async function openCompany(change: (file: Json, sandbox: Sandbox) => Json = (file) => file) {
  const sandbox = await createSandbox({ seed: 1 });
  const identityProvider = await openIdentityProvider();
  const folder = mkdtempSync(join(tmpdir(), 'docshare-organization-'));
  const [path, audit] = [join(folder, 'organization.json'), join(folder, 'audit.jsonl')];
  const agentKeys = await generateKeyPair('ES256', { extractable: true });
  const sealed = (text: string) => sealSecret(text, [SECRET]);
  const file = {
    identity_provider: { issuer: identityProvider.issuer, jwks_url: `${identityProvider.issuer}/jwks` },
    apps: [{ client_id: APP.client_id, name: 'Claude', secret: await sealed(APP.secret) }],
    roles: [
      { name: 'Board', groups: ['board'], api_key: await sealed(sandbox.key()) },
      {
        name: 'Sales',
        groups: ['sales'],
        api_key: await sealed(sandbox.key()),
        scopes: ['links:read', 'links:write', 'documents:read'],
      },
      { name: 'Reports', api_key: await sealed(sandbox.key()) },
    ],
    agents: [
      { client_id: AGENT.client_id, name: 'Nightly report', role: 'Reports', secret: await sealed(AGENT.secret) },
      {
        client_id: 'signer',
        name: 'Signer',
        role: 'Reports',
        writes: true,
        jwks: { keys: [await exportJWK(agentKeys.publicKey)] },
      },
    ],
  };
  writeFileSync(path, JSON.stringify(change(file, sandbox)));
  const open = (more: readonly string[] = []) =>
    openHostedInProcess({
      baseUrl: sandbox.url,
      args: ['--organization', path, '--audit', audit, ...more],
      state: folder,
    });
  onTestFinished(async () => {
    await sandbox.close();
    identityProvider.close();
  });
  const server = await closeAfterTest(open());
  const token = async (form: Record<string, string>, url = server.url) => {
    const response = await fetch(`${url}/token`, { method: 'POST', body: new URLSearchParams(form) });
    return { status: response.status, ...((await response.json()) as Json) } as Json & { status: number };
  };
  const signIn = async (claims: Json = {}, form: Record<string, string> = {}) =>
    token({ ...APP_FORM, assertion: await identityProvider.assert(server.url, claims), ...form });
  return { server, sandbox, identityProvider, agentKeys, audit, open, token, signIn };
}
