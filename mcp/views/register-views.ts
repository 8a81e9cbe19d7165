import { type McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { ListedTool } from '../menu/listed-tool.ts';
import { readPage } from './pages.ts';
import { findView, VIEW_TYPE, type View, views } from './view.ts';

/** The views that a menu has answers for. */
export function viewsFor(tools: readonly ListedTool[], { cards }: { cards: boolean }): readonly View[] {
  return views.filter(
    (view) => (cards && view.name === 'confirm') || tools.some(({ name }) => view.tools.includes(name)),
  );
}

/**
 * Where hosts find a tool's view. It goes to every host: some say only later, or never, what they show, and those that
 * show none ignore it.
 */
export function getViewMeta({ name }: ListedTool): { _meta?: { ui: { resourceUri: string } } } {
  const view = findView(name);
  return view ? { _meta: { ui: { resourceUri: view.uri } } } : {};
}

export function registerViews(server: McpServer, offered: readonly View[]): void {
  for (const { name, uri, title, description } of offered)
    server.registerResource(`view_${name}`, uri, { title, description, mimeType: VIEW_TYPE }, async () => {
      const text = await readPage(name).catch(() => {
        throw new ProtocolError(
          ProtocolErrorCode.InternalError,
          'The views are not built: run npm run build where the server was installed.',
        );
      });
      return { contents: [{ uri, mimeType: VIEW_TYPE, text, _meta: { ui: { prefersBorder: true } } }] };
    });
}
