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

export type HostOptions = Partial<RemoteOptions> & { readonly replica?: number };

/** Returns a function that runs `act` with a host on one of the replicas. */
export function createHostRunner(replicas: readonly { readonly url: string }[]) {
  return async <Result>({ replica = 0, ...options }: HostOptions, act: (host: RemoteHost) => Promise<Result>) => {
    const url = new URL(`${replicas[replica]?.url}/mcp`);
    const host = await openRemote({ kind: 'sdk 1.x', token: 'mine', url, ...options });
    return act(host).finally(() => host.close());
  };
}
