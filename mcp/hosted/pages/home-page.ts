import { html } from 'hono/html';
import type { HtmlPage } from './layout.ts';

/** What this server is, and how each host adds it. */
export function homePage({ endpoint, tools }: { endpoint: string; tools: number }): HtmlPage {
  const config = { url: endpoint };
  const cursor = `cursor://anysphere.cursor-deeplink/mcp/install?name=docshare&config=${encodeURIComponent(Buffer.from(JSON.stringify(config)).toString('base64'))}`;
  const code = `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'docshare', type: 'http', url: endpoint }))}`;
  return {
    title: 'MCP server',
    wide: true,
    body: html`<h1>Docshare for AI assistants</h1>
<p>This is an MCP server: it lets an assistant work with your documents, share links, rooms, agreements and what became of them, with ${tools} tools. You sign in here with an API key of your own and say how much of it an app may use.</p>
<pre>${endpoint}</pre>
<h2>Claude</h2>
<p>Settings → Connectors → Add custom connector; give the address above. In Claude Code:</p>
<pre>claude mcp add --transport http docshare ${endpoint}</pre>
<h2>ChatGPT</h2>
<p>Settings → Apps &amp; Connectors → Advanced → Developer mode; then Create, with the address above and OAuth.</p>
<h2>Cursor and VS Code</h2>
<p class="actions"><a class="button" href="${cursor}">Add to Cursor</a><a class="button" href="${code}">Add to VS Code</a></p>
<h2>Other hosts</h2>
<p>Add a remote MCP server (streamable HTTP) with the address above. It finds the sign-in by itself.</p>
<p class="foot">Signed in already? <a href="/grants">See which apps use your key, and end them.</a></p>`,
  };
}
