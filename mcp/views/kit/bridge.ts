/** The view's side of MCP Apps (protocol 2026-01-26): JSON-RPC with the host over `postMessage`, by hand. */
import { isObject, type JsonObject } from '../../../src/answer/fields.ts';

const PROTOCOL = '2026-01-26';

/** What a tool answered, as the host hands it on. */
export interface ToolResult {
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

/** What the host lets a view do; each is absent where it can't. */
export interface Host {
  readonly callTool?: (name: string, args: JsonObject) => Promise<ToolResult>;
  readonly tellModel?: (text: string, data: JsonObject) => Promise<void>;
  /** Says something in the person's name, which the person still sees in the chat. */
  readonly say?: (text: string) => Promise<void>;
}

export interface Heard {
  result(result: ToolResult, host: Host): void;
  context(context: HostContext): void;
  cancelled(): void;
}

/** Shakes hands with the host, and hands on what it says. */
export async function connect(name: string, heard: Heard): Promise<void> {
  const waiting = new Map<number, { done(value: JsonObject): void; failed(error: Error): void }>();
  const early: ToolResult[] = [];
  let ids = 0;
  let host: Host | undefined;
  let context: HostContext = {};

  const post = (message: JsonObject) => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const ask = (method: string, params: JsonObject) =>
    new Promise<JsonObject>((done, failed) => {
      ids += 1;
      waiting.set(ids, { done, failed });
      post({ id: ids, method, params });
    });
  const take = (result: ToolResult) => (host ? heard.result(result, host) : void early.push(result));

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || !isObject(data) || data['jsonrpc'] !== '2.0') return;
    const { id, method } = data;
    const params = isObject(data['params']) ? data['params'] : {};
    if (typeof method !== 'string') {
      const call = waiting.get(Number(id));
      waiting.delete(Number(id));
      if (isObject(data['result'])) call?.done(data['result']);
      else call?.failed(new Error('The host refused.'));
      return;
    }
    if (method === 'ui/notifications/tool-result') take(params as ToolResult);
    else if (method === 'ui/notifications/tool-cancelled') heard.cancelled();
    else if (method === 'ui/notifications/host-context-changed') {
      context = { ...context, ...params };
      heard.context(context);
    }
    // Requests of the host (ping, teardown) want an answer; notifications carry no id.
    if (id !== undefined) post({ id, result: {} });
  });

  const welcome = await ask('ui/initialize', {
    appInfo: { name: `docshare-${name}`, version: '1' },
    appCapabilities: {},
    protocolVersion: PROTOCOL,
  });
  const can = isObject(welcome['hostCapabilities']) ? welcome['hostCapabilities'] : {};
  context = isObject(welcome['hostContext']) ? welcome['hostContext'] : {};
  heard.context(context);
  host = {
    ...(can['serverTools'] ? { callTool: (name, args) => ask('tools/call', { name, arguments: args }) } : {}),
    ...(can['updateModelContext']
      ? {
          tellModel: async (text, data) => {
            const content = [{ type: 'text', text }];
            await ask('ui/update-model-context', { content, structuredContent: data });
          },
        }
      : {}),
    ...(can['message']
      ? {
          say: async (text) => {
            const answer = await ask('ui/message', { role: 'user', content: [{ type: 'text', text }] });
            if (answer['isError'] === true) throw new Error('The host did not take the message.');
          },
        }
      : {}),
  };
  post({ method: 'ui/notifications/initialized', params: {} });
  tellSize(post);
  for (const result of early) heard.result(result, host);
}

/** Hosts give a view the height that it asks for. */
function tellSize(post: (message: JsonObject) => void): void {
  let told = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    const width = Math.ceil(window.innerWidth);
    post({ method: 'ui/notifications/size-changed', params: { width, height } });
  }).observe(document.documentElement);
}
