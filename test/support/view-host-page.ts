/** The host's part of a test of a view, bundled into a page: the official bridge on a sandboxed frame. */
import { AppBridge, PostMessageTransport } from '@modelcontextprotocol/ext-apps/app-bridge';

const host = window as never as {
  heard(kind: string, params: unknown): Promise<never>;
  show(input: { html: string; context: object; can: object; width: number }): Promise<void>;
  answer(result: never): Promise<void>;
  setContext(context: never): void;
  hide(): Promise<void>;
};

host.show = async ({ html, context, can, width }) => {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.style.cssText = `border:0;display:block;width:${width}px;height:200px`;
  document.body.append(frame);
  const target = frame.contentWindow as Window;
  const bridge = new AppBridge(null, { name: 'test-host', version: '1' }, can as never, {
    hostContext: context as never,
  });
  bridge.oncalltool = (params) => host.heard('call', params);
  bridge.onopenlink = (params) => host.heard('link', params);
  bridge.onmessage = (params) => host.heard('message', params);
  bridge.onupdatemodelcontext = (params) => host.heard('model', params);
  bridge.onsizechange = ({ height }) => {
    if (height !== undefined) frame.style.height = `${height}px`;
  };
  const ready = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve();
  });
  host.answer = async (result) => {
    await bridge.sendToolInput({ arguments: {} });
    await bridge.sendToolResult(result);
  };
  host.setContext = (next) => bridge.setHostContext(next);
  host.hide = async () => {
    await bridge.close();
    frame.remove();
  };
  await bridge.connect(new PostMessageTransport(target, target));
  frame.srcdoc = html;
  await ready;
};
