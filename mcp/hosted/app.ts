import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { HTTPException } from 'hono/http-exception';
import { grantsRoutes } from './grants-routes.ts';
import { createMcpEndpoint, type McpEndpoint } from './mcp-endpoint.ts';
import { authorizationServerMetadata, resourceMetadata } from './oauth/metadata.ts';
import { OAuthFault } from './oauth/oauth-fault.ts';
import { createTokenEndpoint } from './oauth/token-endpoint.ts';
import { homePage } from './pages/home-page.ts';
import { faultPage, showPage } from './pages/layout.ts';
import { STYLESHEET } from './pages/stylesheet.ts';
import { loggedPath } from './people.ts';
import { peopleRoutes } from './people-routes.ts';
import { readText } from './read-text.ts';
import { isLoopbackName } from './settings.ts';
import { signInRoutes } from './sign-in.ts';
import { createRateLimit, getClientAddress } from './visitor.ts';
import type { HostedWorld } from './world.ts';

export interface HostedApp {
  readonly app: Hono;
  readonly endpoint: McpEndpoint;
}

/** Hosts of thousands of people call from a few addresses; people in one office share one. */
const [ASKS_A_MINUTE, KEYS_A_MINUTE] = [300, 30];

/** All routes of a hosted server. */
export function createApp(world: HostedWorld): HostedApp {
  const { issuer, resource, offers, settings, parts } = world;
  const { readiness } = world.operations;
  const app = new Hono();
  const endpoint = createMcpEndpoint({ ...world });
  const tokenEndpoint = createTokenEndpoint(world);
  const asks = createRateLimit(ASKS_A_MINUTE);
  const keys = createRateLimit(KEYS_A_MINUTE);
  const from = (context: Context) =>
    getClientAddress(
      getConnInfo(context).remote.address,
      context.req.header('x-forwarded-for'),
      settings.proxies,
    );

  const isAllowedOrigin = (origin: string) =>
    origin === issuer ||
    settings.allowOrigins.includes(origin) ||
    (URL.canParse(origin) && isLoopbackName(new URL(origin).hostname));
  const forPages = cors({
    origin: (origin) => (isAllowedOrigin(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'DELETE'],
    exposeHeaders: ['WWW-Authenticate', 'Mcp-Session-Id', 'Mcp-Protocol-Version', 'Retry-After'],
    maxAge: 600,
  });
  const forPrograms: MiddlewareHandler[] = [
    async (context, next) => {
      const origin = context.req.header('origin');
      if (origin === undefined || isAllowedOrigin(origin)) return next();
      return context.json({ error: 'Pages of this website may not call this server (--allow-origin).' }, 403);
    },
    // No page of a website: nothing to tell a browser.
    (context, next) => (context.req.header('origin') === undefined ? next() : forPages(context, next)),
  ];

  // Before the names are checked: balancers ask under addresses of their own.
  for (const path of ['/healthz', '/readyz'])
    app.get(path, async (context) => (await readiness.answer(path)) ?? context.notFound());
  app.use(async (context, next) => {
    if (isOwnHost(context, world)) return next();
    return context.json({ error: `This server is ${issuer}.` }, 421);
  });
  app.get('/', (context) => showPage(context, homePage({ endpoint: resource, tools: countTools(world) })));
  app.get('/pages.css', (context) =>
    context.body(STYLESHEET, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'public, max-age=86400',
      'x-content-type-options': 'nosniff',
    }),
  );

  const open = cors({ origin: '*', allowMethods: ['GET'] });
  const kept = { 'cache-control': 'public, max-age=300' };
  const server = authorizationServerMetadata(issuer, offers.scopes);
  // Hosts look for it under several names, also below the endpoint's path.
  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    for (const path of [`/.well-known/${name}`, `/.well-known/${name}/mcp`])
      app.use(path, open).get(path, (context) => context.json(server, 200, kept));
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    app
      .use(path, open)
      .get(path, (context) => context.json(resourceMetadata(issuer, resource, offers.scopes), 200, kept));

  app.use('/mcp', ...forPrograms);
  app.all('/mcp', async (context) => {
    // Somebody opened the endpoint's address in a browser.
    const isPerson = context.req.method === 'GET' && context.req.header('accept')?.includes('text/html');
    if (isPerson) return context.redirect('/', 303);
    const { outgoing } = context.env as HttpBindings;
    return endpoint.fetch({
      request: context.req.raw,
      whenSent: (act) => void outgoing.once('close', act),
    });
  });

  peopleRoutes(app, world);
  for (const path of ['/token', '/register', '/revoke']) app.use(path, ...forPrograms);
  app.post('/register', async (context) => {
    const wait = asks.take(from(context));
    if (wait !== undefined) throw new OAuthFault('temporarily_unavailable', `Try again in ${wait} s.`, 429);
    const metadata = jsonIn(await readText(context));
    return context.json(await world.clients.register(metadata), 201, { 'cache-control': 'no-store' });
  });
  app.post('/token', async (context) => {
    const answer = await tokenEndpoint.exchange(await readForm(context));
    return context.json(answer, 200, { 'cache-control': 'no-store', pragma: 'no-cache' });
  });
  app.post('/revoke', async (context) => {
    await tokenEndpoint.revoke(await readForm(context));
    return context.body(null, 200, { 'cache-control': 'no-store' });
  });

  signInRoutes(app, world, { getAddress: from, asks, keys });
  grantsRoutes(app, world, { getAddress: from, keys });

  app.notFound((context) => {
    const next = 'The MCP endpoint is /mcp.';
    if (!context.req.header('accept')?.includes('text/html')) return context.json({ error: next }, 404);
    return context.redirect('/', 303);
  });
  app.onError(async (error, context) => {
    if (error instanceof OAuthFault) return error.toResponse();
    // A body that is too large.
    if (error instanceof HTTPException)
      return isForPeople(context.req.path)
        ? showPage(context, faultPage({ title: 'Too long', message: error.message, next: '' }), 413)
        : new OAuthFault('invalid_request', error.message, 413).toResponse();
    const { incoming } = context.env as HttpBindings;
    if (incoming.destroyed && !incoming.complete) {
      // Whoever sent it is gone, and so is the answer.
      parts.log.debug('hung_up', { path: loggedPath(context.req.path) });
      return context.body(null, 400);
    }
    parts.log.error('unexpected', { kind: error.name, path: loggedPath(context.req.path) });
    const sorry = 'Something that this server needs is away for a moment. Try again.';
    context.header('retry-after', '5');
    if (isForPeople(context.req.path))
      return showPage(context, faultPage({ title: 'Not now', message: sorry, next: '' }), 503);
    return context.json({ error: 'temporarily_unavailable', error_description: sorry }, 503);
  });
  return { app, endpoint };
}

function countTools({ offers }: HostedWorld): number {
  return offers.menuFor({ scopes: offers.scopes, declined: [], readOnly: false, confirm: 'auto' }).tools
    .length;
}

/** Under its public name, or from this machine; what proxies ask for counts where they are trusted. */
function isOwnHost(context: Context, { issuer, settings }: HostedWorld): boolean {
  const forwarded = settings.proxies > 0 ? context.req.header('x-forwarded-host') : undefined;
  const host = forwarded?.split(',').at(-1)?.trim() ?? context.req.header('host') ?? '';
  if (issuer.endsWith(`//${host}`)) return true;
  const { host: own, protocol } = new URL(issuer);
  // Programs send a host as they were given it: in capitals, with the port that goes without saying, or with the dot that
  // ends a whole name.
  if (/[^\w.:[\]-]/.test(host)) return false;
  const text = `${protocol}//${host.replace(/\.(?=:\d+$|$)/, '')}`;
  if (!URL.canParse(text)) return false;
  const asked = new URL(text);
  return asked.host === own || isLoopbackName(asked.hostname);
}

function isForPeople(path: string): boolean {
  return /^\/(authorize|grants|confirm|upload|download)\b/.test(path);
}

async function readForm(context: Context): Promise<URLSearchParams> {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthFault('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.');
  return new URLSearchParams(await readText(context));
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
