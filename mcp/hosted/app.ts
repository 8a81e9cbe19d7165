import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { html } from 'hono/html';
import { HTTPException } from 'hono/http-exception';
import { isLoopbackHostname } from '../../src/loopback.ts';
import { renderErrorPage, renderNotFoundPage, sendPage } from '../pages/layout.ts';
import { readFormBody } from '../pages/read-form-body.ts';
import { addStylesheet } from '../pages/stylesheet-route.ts';
import { addDiscoveryRoutes } from './discovery-routes.ts';
import { addGrantsRoutes } from './grants-routes.ts';
import type { HostedContext } from './hosted-context.ts';
import { createIpRateLimiter, createSharedIpRateLimiter, parseClientIp } from './http/ip-rate-limiter.ts';
import { createMcpEndpoint, type McpEndpoint } from './mcp-endpoint.ts';
import { getAuthorizationServerMetadata, getProtectedResourceMetadata } from './oauth/oauth-metadata.ts';
import { OAuthRequestError } from './oauth/oauth-request-error.ts';
import { createTokenEndpoint } from './oauth/token-endpoint.ts';
import { renderHomePage } from './pages/home-page.ts';
import { addSignInRoutes } from './sign-in-routes.ts';
import { addUserPageRoutes } from './user-page-routes.ts';
import { redactPath } from './user-pages.ts';

export interface HostedApp {
  readonly app: Hono;
  readonly endpoint: McpEndpoint;
}

/** Per IP address. Hosts call for thousands of people from a few addresses; people in one office share one. */
const [MAX_REQUESTS_PER_MINUTE, MAX_KEY_ATTEMPTS_PER_MINUTE] = [300, 30];

/** Creates all routes of a hosted server. */
export function createHostedApp(hostedContext: HostedContext): HostedApp {
  const { issuer, resource, scopeCatalog, settings, dependencies, clients, organizationSignIn } = hostedContext;
  const { readiness } = hostedContext.monitoring;
  const app = new Hono();
  const endpoint = createMcpEndpoint(hostedContext);
  const tokenEndpoint = createTokenEndpoint(hostedContext);
  const requestLimiter = createIpRateLimiter(MAX_REQUESTS_PER_MINUTE);
  const keyLimiter = createSharedIpRateLimiter(MAX_KEY_ATTEMPTS_PER_MINUTE, dependencies.services.state);
  const getClientIp = (context: Context) =>
    parseClientIp(getConnInfo(context).remote.address, context.req.header('x-forwarded-for'), settings.proxies);
  const countKeyAttempt = (context: Context) => keyLimiter.take(getClientIp(context));

  const isAllowedOrigin = (origin: string) =>
    origin === issuer ||
    settings.allowOrigins.includes(origin) ||
    (URL.canParse(origin) && isLoopbackHostname(new URL(origin).hostname));
  const pageCors = cors({
    origin: (origin) => (isAllowedOrigin(origin) ? origin : null),
    allowMethods: ['GET', 'POST', 'DELETE'],
    exposeHeaders: ['WWW-Authenticate', 'Mcp-Session-Id', 'Mcp-Protocol-Version', 'Retry-After'],
    maxAge: 600,
  });
  const apiMiddleware: MiddlewareHandler[] = [
    async (context, next) => {
      const origin = context.req.header('origin');
      if (origin === undefined || isAllowedOrigin(origin)) return next();
      return context.json({ error: 'This origin is not allowed. The operator can add it with --allow-origin.' }, 403);
    },
    // Requests without an origin need no CORS headers.
    (context, next) => (context.req.header('origin') === undefined ? next() : pageCors(context, next)),
  ];

  for (const path of ['/healthz', '/readyz'])
    app.get(path, async (context) => (await readiness.respond(path, { isPublic: true })) ?? context.notFound());
  app.get('/', (context) =>
    sendPage(context, renderHomePage({ endpoint: resource, tools: countTools(hostedContext) })),
  );
  addStylesheet(app);

  const publicCors = cors({ origin: '*', allowMethods: ['GET'] });
  const cacheHeaders = { 'cache-control': 'public, max-age=60' };
  // Hosts try several names, also below the endpoint's path.
  for (const name of ['oauth-authorization-server', 'openid-configuration'])
    for (const path of [`/.well-known/${name}`, `/.well-known/${name}/mcp`])
      app.use(path, publicCors).get(path, async (context) => {
        const metadata = getAuthorizationServerMetadata(issuer, {
          scopes: scopeCatalog.scopes,
          hasDocuments: await clients.hasDocuments(),
          organization: organizationSignIn?.metadata,
        });
        return context.json(metadata, 200, cacheHeaders);
      });
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])
    app
      .use(path, publicCors)
      .get(path, (context) =>
        context.json(getProtectedResourceMetadata(issuer, resource, scopeCatalog.scopes), 200, cacheHeaders),
      );

  addDiscoveryRoutes(app, { issuer, resource, cors: publicCors });

  app.use('/mcp', ...apiMiddleware);
  app.all('/mcp', async (context) => {
    const isBrowser = context.req.method === 'GET' && context.req.header('accept')?.includes('text/html');
    if (isBrowser) return context.redirect('/', 303);
    const { outgoing } = context.env as HttpBindings;
    return endpoint.fetch({ request: context.req.raw, whenSent: (callback) => void outgoing.once('close', callback) });
  });

  addUserPageRoutes(app, hostedContext, countKeyAttempt);
  for (const path of ['/token', '/register', '/revoke']) app.use(path, ...apiMiddleware);
  app.post('/register', async (context) => {
    const wait = requestLimiter.take(getClientIp(context));
    if (wait !== undefined)
      throw new OAuthRequestError('temporarily_unavailable', `Too many requests. Try again in ${wait} s.`, 429);
    const metadata = parseJson(await readFormBody(context));
    return context.json(await clients.register(metadata), 201, { 'cache-control': 'no-store' });
  });
  app.post('/token', async (context) => {
    const form = await readForm(context);
    const authorization = context.req.header('authorization');
    const organizationToken = await organizationSignIn?.exchange({ form, authorization }).catch((error: unknown) => {
      // The app that signs in is often the only one that sees the answer.
      if (error instanceof OAuthRequestError)
        dependencies.log.warn('company_sign_in_refused', { code: error.code, message: error.message });
      throw error;
    });
    const tokenResponse = organizationToken ?? (await tokenEndpoint.exchange(form));
    return context.json(tokenResponse, 200, { 'cache-control': 'no-store', pragma: 'no-cache' });
  });
  app.post('/revoke', async (context) => {
    await tokenEndpoint.revoke(await readForm(context));
    return context.body(null, 200, { 'cache-control': 'no-store' });
  });

  addSignInRoutes(app, hostedContext, { getClientIp, requestLimiter, countKeyAttempt });
  addGrantsRoutes(app, hostedContext, countKeyAttempt);

  app.notFound((context) => {
    const next = 'The MCP endpoint is /mcp.';
    if (!context.req.header('accept')?.includes('text/html')) return context.json({ error: next }, 404);
    return sendPage(context, renderNotFoundPage(html`<a href="/">About this server</a>`), 404);
  });
  app.onError(async (error, context) => {
    if (error instanceof OAuthRequestError) return error.toResponse();
    if (error instanceof HTTPException)
      return isPagePath(context.req.path)
        ? sendPage(context, renderErrorPage({ title: 'Form too large', message: error.message }), 413)
        : new OAuthRequestError('invalid_request', error.message, 413).toResponse();
    const { incoming } = context.env as HttpBindings;
    if (incoming.destroyed && !incoming.complete) {
      dependencies.log.debug('hung_up', { path: redactPath(context.req.path) });
      return context.body(null, 400);
    }
    dependencies.log.error('unexpected', { kind: error.name, path: redactPath(context.req.path) });
    const retryMessage = 'A service that this server depends on is unavailable. Try again in a few seconds.';
    context.header('retry-after', '5');
    if (isPagePath(context.req.path))
      return sendPage(context, renderErrorPage({ title: 'Temporarily unavailable', message: retryMessage }), 503);
    return context.json({ error: 'temporarily_unavailable', error_description: retryMessage }, 503);
  });
  return { app, endpoint };
}

function countTools({ scopeCatalog }: HostedContext): number {
  return scopeCatalog.getToolset({ scopes: scopeCatalog.scopes, declined: [], readOnly: false, confirm: 'auto' }).tools
    .length;
}

function isPagePath(path: string): boolean {
  return /^\/(authorize|grants|confirm|upload|download)\b/.test(path);
}

async function readForm(context: Context): Promise<URLSearchParams> {
  const type = context.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    throw new OAuthRequestError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.');
  return new URLSearchParams(await readFormBody(context));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
