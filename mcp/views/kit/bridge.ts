/** Client side of MCP Apps (protocol 2026-01-26): JSON-RPC with the host over `postMessage`. */
import { isObject, type JsonObject } from '../../../src/records/fields.ts';

const PROTOCOL_VERSION = '2026-01-26';

/** Tool result as the host delivers it. */
export interface HostToolResult {
  readonly structuredContent?: JsonObject;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

export interface HostContext {
  readonly theme?: string;
  readonly locale?: string;
  readonly timeZone?: string;
  readonly styles?: { readonly variables?: JsonObject };
}

/** Capabilities of the host; undefined if the host does not support them. */
export interface HostBridge {
  readonly callTool: ((name: string, args: JsonObject) => Promise<HostToolResult>) | undefined;
  readonly openLink: ((url: string) => Promise<unknown>) | undefined;
  readonly updateModelContext: ((text: string, data: JsonObject) => Promise<unknown>) | undefined;
  /** Sends a chat message as the user, visible to them. */
  readonly sendMessage: ((text: string) => Promise<void>) | undefined;
}

export interface HostEvents {
  onResult(onResult: HostToolResult, host: HostBridge): void;
  onContext(onContext: HostContext): void;
  onCancelled(): void;
}

/** Connects to the host and delivers its events. */
export async function connectToHost(name: string, events: HostEvents): Promise<void> {
  const pendingRequests = new Map<number, { resolve(value: JsonObject): void; reject(error: Error): void }>();
  const earlyResults: HostToolResult[] = [];
  let lastId = 0;
  let host: HostBridge | undefined;
  let context: HostContext = {};

  const post = (message: JsonObject) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const request = (method: string, params: JsonObject) =>
    new Promise<JsonObject>((resolve, reject) => {
      lastId += 1;
      pendingRequests.set(lastId, { resolve, reject });
      post({ id: lastId, method, params });
    });
  const deliverResult = (result: HostToolResult) =>
    host ? events.onResult(result, host) : void earlyResults.push(result);

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || !isObject(data) || data['jsonrpc'] !== '2.0') return;
    const { id, method } = data;
    const params = isObject(data['params']) ? data['params'] : {};
    if (typeof method !== 'string') {
      const pendingRequest = pendingRequests.get(Number(id));
      pendingRequests.delete(Number(id));
      if (isObject(data['result'])) pendingRequest?.resolve(data['result']);
      else pendingRequest?.reject(new Error('The host rejected the request.'));
      return;
    }
    if (method === 'ui/notifications/tool-result') deliverResult(params as HostToolResult);
    else if (method === 'ui/notifications/tool-cancelled') events.onCancelled();
    else if (method === 'ui/notifications/host-context-changed') {
      context = { ...context, ...params };
      events.onContext(context);
    }
    // Requests of the host (ping, teardown) need a response; notifications have no id.
    if (id !== undefined) post({ id, result: {} });
  });

  const initialization = await request('ui/initialize', {
    appInfo: { name: `docshare-${name}`, version: '1' },
    appCapabilities: {},
    protocolVersion: PROTOCOL_VERSION,
  });
  const hostCapabilities = isObject(initialization['hostCapabilities']) ? initialization['hostCapabilities'] : {};
  context = isObject(initialization['hostContext']) ? initialization['hostContext'] : {};
  events.onContext(context);
  const ifSupported = <Call>(capability: string, call: Call) => (hostCapabilities[capability] ? call : undefined);
  host = {
    callTool: ifSupported('serverTools', (name, args) => request('tools/call', { name, arguments: args })),
    openLink: ifSupported('openLinks', (url) => request('ui/open-link', { url })),
    updateModelContext: ifSupported('updateModelContext', (text, data) =>
      request('ui/update-model-context', { content: [{ type: 'text', text }], structuredContent: data }),
    ),
    sendMessage: ifSupported('message', async (text) => {
      const response = await request('ui/message', { role: 'user', content: [{ type: 'text', text }] });
      if (response['isError'] === true) throw new Error('The host rejected the message.');
    }),
  };
  post({ method: 'ui/notifications/initialized', params: {} });
  reportSize(post);
  for (const result of earlyResults) events.onResult(result, host);
}

/** Reports the height of the content; hosts resize the view to it. */
function reportSize(post: (message: JsonObject) => void): void {
  let lastHeight = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === lastHeight) return;
    lastHeight = height;
    const width = Math.ceil(window.innerWidth);
    post({ method: 'ui/notifications/size-changed', params: { width, height } });
  }).observe(document.documentElement);
}
