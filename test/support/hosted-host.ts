import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { connectClient, type Elicitation, type Host, type Kind } from './mcp-host.ts';

export type RemoteHost = Omit<Host, 'stderr'>;

export interface RemoteOptions {
  readonly kind: Kind;
  readonly url: URL;
  readonly token: string;
  readonly elicitation?: Elicitation;
}

/** Opens a real client on a server over HTTP, as a host in the cloud would. */
export function openRemote({ kind, url, token, elicitation }: RemoteOptions): Promise<RemoteHost> {
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  const Transport = kind === 'sdk 1.x' ? LegacyTransport : StreamableHTTPClientTransport;
  return connectClient(kind, new Transport(url, { requestInit }), elicitation);
}
