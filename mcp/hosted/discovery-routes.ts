import type { Hono, MiddlewareHandler } from 'hono';
import { version } from '../../src/version.ts';
import { serverInfo } from '../setup/server-info.ts';

/** Paths of the server card: its own well-known path, and the one next to the endpoint that its draft names. */
const CARD_PATHS = ['/.well-known/mcp/server-card.json', '/mcp/server-card'];
const CACHE_HEADERS = { 'cache-control': 'public, max-age=3600' };

/** Adds what programs read to find this server from its host name: a server card (SEP-2127) and `llms.txt`. */
export function addDiscoveryRoutes(app: Hono, { issuer, resource, cors }: DiscoveryOptions): void {
  const card = {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'io.github.docshare/docshare-mcp',
    title: serverInfo.title,
    description: serverInfo.description,
    version,
    remotes: [{ type: 'streamable-http', url: resource }],
  };
  const text = `# Docshare MCP server

> ${serverInfo.description}

- MCP endpoint (streamable HTTP): ${resource}
- Sign-in: OAuth 2.1, described at ${issuer}/.well-known/oauth-authorization-server
- Steps for each host: ${issuer}/
- Server card: ${issuer}${CARD_PATHS[0]}
`;
  for (const path of CARD_PATHS) app.use(path, cors).get(path, (context) => context.json(card, 200, CACHE_HEADERS));
  app.get('/llms.txt', (context) => context.text(text, 200, CACHE_HEADERS));
}

interface DiscoveryOptions {
  readonly issuer: string;
  readonly resource: string;
  /** Lets pages of any origin read the card. */
  readonly cors: MiddlewareHandler;
}
