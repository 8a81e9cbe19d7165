import { html } from 'hono/html';
import type { HtmlPage } from '../../pages/layout.ts';
import { getInstallLink } from '../../setup/host-text.ts';
import { hosts } from '../../setup/hosts.ts';

/** Explains what this server is and how to add it to each host. */
export function renderHomePage({ endpoint, tools }: { endpoint: string; tools: number }): HtmlPage {
  const links = hosts.flatMap((host) => {
    const link = host.createRemoteEntry && getInstallLink(host, { url: endpoint });
    return link ? [html`<a class="button" href="${link}">Add to ${host.title}</a>`] : [];
  });
  return {
    title: 'MCP server',
    wide: true,
    body: html`<h1>Docshare for AI assistants</h1>
<p>This MCP server lets an assistant work with your documents, share links, rooms and agreements and their analytics, with ${tools} tools. You sign in with your own API key and choose what each app can do.</p>
<pre>${endpoint}</pre>
<h2>Claude</h2>
<p>Go to Settings → Connectors → Add custom connector and enter the URL above. In Claude Code:</p>
<pre>claude mcp add --transport http docshare ${endpoint}</pre>
<h2>ChatGPT</h2>
<p>Go to Settings → Apps &amp; Connectors → Advanced → Developer mode. Then choose Create, enter the URL above and select OAuth.</p>
<h2>Cursor and VS Code</h2>
<p class="actions">${links}</p>
<h2>Other hosts</h2>
<p>Add a remote MCP server (streamable HTTP) with the URL above. Sign-in is discovered automatically.</p>
<p class="foot">Already signed in? <a href="/grants">See which apps use your key and revoke access.</a></p>`,
  };
}
