import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Frame, Page } from 'playwright-core';
import type { ViewName } from '../../mcp/views/views.ts';
import { coverView, isTraced, viewPage } from './cover-view.ts';
import { openPage } from './open-browser.ts';

type Json = Record<string, unknown>;

type SentKind = 'call' | 'link' | 'message' | 'model';

export interface ViewHost {
  readonly page: Page;
  readonly frame: Frame;
  /** Console errors, thrown errors and violations of the content security policy. */
  readonly problems: string[];
  /** Messages of the view: tool calls, opened links, chat messages and context for the model. */
  readonly sent: { readonly kind: SentKind; readonly params: Json }[];
  /** Sends a result to the view. */
  answer(result: object): Promise<void>;
  setContext(context: Json): Promise<void>;
  setWidth(pixels: number): Promise<void>;
  close(): Promise<void>;
}

let bundle: Promise<string> | undefined;

/** The official bridge as one script. */
function bridgeScript(): Promise<string> {
  bundle ??= build({
    entryPoints: [fileURLToPath(new URL('./view-host-page.ts', import.meta.url))],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0]?.text ?? '');
  return bundle;
}

interface HostPage {
  readonly page: Page;
  readonly problems: string[];
  heard(kind: SentKind, params: Json): Promise<object>;
}

/** Idle pages without errors, for reuse: loading the bridge again takes longer than everything else. */
const hostPages = new WeakMap<Browser, HostPage[]>();

async function openHostPage(browser: Browser, before: (() => void) | undefined): Promise<HostPage> {
  const { page, problems } = await openPage(browser);
  if (before) await page.addInitScript(before);
  const place: HostPage = { page, problems, heard: async () => ({}) };
  await page.exposeFunction('heard', (kind: SentKind, params: Json) => place.heard(kind, params));
  await page.setContent('<!doctype html><title>host</title><body style="margin:0"></body>');
  await page.addScriptTag({ content: await bridgeScript() });
  return place;
}

/** Shows a built view as a chat host does: the official bridge, and a sandboxed frame without its own origin. */
export async function openView(
  browser: Browser,
  name: ViewName,
  options: {
    readonly width?: number;
    readonly context?: Json;
    /** Capabilities that the host offers to a view (default: all). */
    readonly can?: Json;
    readonly callTool?: (name: string, args: Json) => Promise<object>;
    /** Runs in each frame before the view's own script. */
    readonly before?: () => void;
  } = {},
): Promise<ViewHost> {
  const { width = 800, context = {}, callTool } = options;
  const can = options.can ?? { serverTools: {}, updateModelContext: { text: {} }, message: { text: {} } };
  const idle = options.before ? undefined : hostPages.get(browser)?.pop();
  const place = idle ?? (await openHostPage(browser, options.before));
  const { page, problems } = place;
  await page.setViewportSize({ width, height: 900 });
  const sent: ViewHost['sent'] = [];
  place.heard = async (kind, params) => {
    sent.push({ kind, params });
    if (kind !== 'call') return {};
    return callTool ? callTool(String(params['name']), (params['arguments'] ?? {}) as Json) : { content: [] };
  };
  const html = await viewPage(name);
  const endCovering = await coverView(page, name);
  await page.evaluate((input) => (window as never as { show(input: unknown): Promise<void> }).show(input), {
    html,
    context,
    can,
    width,
  });
  const frame = page.frames().find((one) => one !== page.mainFrame());
  if (!frame) throw new Error('the view has no frame');
  // As text, because the test runner would inspect each value of a large result, which takes longer than the view.
  const inHost = (method: 'answer' | 'setContext', value: Json) =>
    page.evaluate(
      ({ method, text }) =>
        (window as never as Record<string, (value: unknown) => Promise<void>>)[method]?.(JSON.parse(text)),
      { method, text: JSON.stringify(value) },
    ) as Promise<void>;
  return {
    page,
    frame,
    problems,
    sent,
    answer: (result) => inHost('answer', { ...result }),
    setContext: (value) => inHost('setContext', value),
    async setWidth(pixels) {
      await page.setViewportSize({ width: pixels, height: 900 });
      await page.evaluate((own) => {
        const frame = document.querySelector('iframe');
        if (frame) frame.style.width = `${own}px`;
      }, pixels);
    },
    async close() {
      await endCovering();
      if (problems.length > 0 || options.before || isTraced) return page.context().close();
      await page.evaluate(() => (window as never as { hide(): Promise<void> }).hide());
      hostPages.set(browser, [...(hostPages.get(browser) ?? []), place]);
    },
  };
}
