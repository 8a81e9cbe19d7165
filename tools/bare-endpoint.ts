/**
 * Reference for `bench-hosted`: an MCP endpoint of the SDK that verifies a bearer token, with one tool that does nothing and one
 * that sends a request to a service. Arguments: the service's URL, and the sizes of both results in bytes. Prints its URL and a
 * token as one line.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  bearerAuthChallengeResponse,
  createMcpHandler,
  McpServer,
  OAuthError,
  OAuthErrorCode,
  verifyBearerToken,
} from '@modelcontextprotocol/server';
import { jwtVerify, SignJWT } from 'jose';
import * as z from 'zod';

const [service = '', ...sizes] = process.argv.slice(2);
const secret = new TextEncoder().encode('a-secret-of-the-bench-that-is-long-enough');
const toTextResult = (value: unknown, bytes: string | undefined) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value).padEnd(Number(bytes ?? 0) - ENVELOPE_BYTES) }],
});
/** Bytes of a result besides its text. */
const ENVELOPE_BYTES = 80;

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  const inputSchema = z.strictObject({});
  server.registerTool('noop', { description: 'Does nothing.', inputSchema }, async () => toTextResult({}, sizes[0]));
  server.registerTool('ask', { description: 'Asks the service.', inputSchema }, async () => {
    const response = await fetch(`${service}/api/v1/billing/usage`, { headers: { authorization: 'Bearer key' } });
    return toTextResult(await response.json(), sizes[1]);
  });
  return server;
});

async function verifyAccessToken(token: string) {
  const { payload } = await jwtVerify(token, secret).catch(() => {
    throw new OAuthError(OAuthErrorCode.InvalidToken, 'The token is unknown');
  });
  return { token, clientId: String(payload.sub), scopes: [], expiresAt: Number(payload.exp) };
}

const listener = getRequestListener(async (request) => {
  try {
    const authInfo = await verifyBearerToken(request.headers.get('authorization'), { verifier: { verifyAccessToken } });
    return await handler.fetch(request, { authInfo });
  } catch (error) {
    return bearerAuthChallengeResponse(error, {});
  }
});
const server = createServer(listener).listen(0, '127.0.0.1', async () => {
  const token = await new SignJWT({ sub: 'bench' })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1h')
    .sign(secret);
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token }));
});
