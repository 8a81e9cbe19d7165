import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** Fields of a form. Pairs can repeat a name. */
export type Fields = readonly (readonly [string, string])[] | Readonly<Record<string, string>>;

const toBody = (fields: Fields) => new URLSearchParams(Array.isArray(fields) ? fields : Object.entries(fields));
type Json = Record<string, unknown>;

/** The content of a page, read without a browser. */
export interface SeenPage {
  readonly status: number;
  readonly html: string;
  /** The text of its heading. */
  readonly title: string;
  readonly headers: Headers;
  /** The value of a hidden field. */
  field(name: string): string;
  /** The target of the button back to the app. */
  back(): URL;
}

/** A visitor whose browser runs no scripts: keeps cookies, submits forms and follows the redirect after one. */
export function createPerson(site?: string, cookie = '') {
  const jar = new Map(cookie === '' ? [] : [cookie.split('=') as [string, string]]);
  async function load(path: string, init: RequestInit = {}): Promise<SeenPage> {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const url = new URL(path, site);
    const answer = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { ...(cookies ? { cookie: cookies } : {}), ...init.headers },
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    // The public URL may not lead to a server in a test.
    if (answer.status === 303 && location) return load(new URL(new URL(location, url).pathname, url).href);
    const html = await answer.text();
    const find = (pattern: RegExp) => unescaped(pattern.exec(html)?.[1] ?? '');
    return {
      status: answer.status,
      html,
      title: find(/<h1>([^<]*)/),
      headers: answer.headers,
      field: (name) => find(new RegExp(`name="${name}" value="([^"]*)"`)),
      back: () => new URL(find(/id="back" href="([^"]*)"/)),
    };
  }
  const post = (path: string, fields: Fields, headers: Record<string, string> = {}) => {
    const { origin } = new URL(path, site);
    return load(path, { method: 'POST', headers: { origin, ...headers }, body: toBody(fields) });
  };
  return {
    load,
    post,
    /** Opens a question's page, answers it there and returns the title of the next page. */
    async answer(path: string, decision: 'approve' | 'deny'): Promise<string> {
      return (await post(path, { form: (await load(path)).field('form'), decision })).title;
    },
  };
}

/** The cookie of a browser that signed in, and its hash as stored in a grant. */
export function signedInBrowser(letter: string): { cookie: string; browser: string } {
  const value = letter.repeat(43);
  const hash = createHash('sha256').update(`docshare browser\n${value}`).digest('base64url');
  return { cookie: `docshare=${value}`, browser: hash.slice(0, 22) };
}

function unescaped(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

export interface TestHost {
  readonly clientId: string;
  readonly redirect: string;
}

export const CALLBACK = 'https://host.example/callback';

export async function registerHost(url: string, metadata: Json = {}): Promise<TestHost> {
  const answer = await postJson(url, '/register', { client_name: 'Test host', redirect_uris: [CALLBACK], ...metadata });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  const { client_id, redirect_uris } = answer.body as { client_id: string; redirect_uris: string[] };
  return { clientId: client_id, redirect: redirect_uris[0] ?? '' };
}

export async function postJson(url: string, path: string, body: unknown): Promise<{ status: number; body: Json }> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Json };
}

export async function postForm(url: string, path: string, fields: Fields) {
  const answer = await fetch(url + path, { method: 'POST', body: toBody(fields) });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as Json };
}

export function createPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** With the challenge of a verifier that nobody keeps, unless `more` has another one. */
export function authorizePath(host: TestHost, more: Record<string, string | undefined> = {}): string {
  const query = {
    response_type: 'code',
    client_id: host.clientId,
    redirect_uri: host.redirect,
    ...{ code_challenge: createPkce().challenge, code_challenge_method: 'S256' },
    state: 'state-1',
    ...more,
  };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/authorize?${new URLSearchParams(given)}`;
}

const ALL_GROUPS = [
  'documents',
  'links',
  'rooms',
  'agreements',
  'proposals',
  'templates',
  'contacts',
  'analytics',
  'webhooks',
  'billing',
];

export interface SignIn {
  readonly key: string;
  /** Names of several workspaces; those of `otherKeys` are added to the first. */
  readonly names?: readonly string[];
  readonly otherKeys?: readonly string[];
  readonly groups?: readonly string[];
  readonly readOnly?: boolean;
  readonly confirm?: string;
  readonly query?: Record<string, string | undefined>;
  readonly person?: ReturnType<typeof createPerson>;
}

/** Goes through both pages. Returns the code and what is needed to exchange it. */
export async function signInAt(url: string, host: TestHost, options: SignIn) {
  const {
    key,
    names = [],
    otherKeys = [],
    groups = ALL_GROUPS,
    readOnly = false,
    confirm = 'auto',
    query = {},
  } = options;
  const person = options.person ?? createPerson(url);
  const { verifier, challenge } = createPkce();
  const first = await person.load(authorizePath(host, { code_challenge: challenge, ...query }));
  const second = await person.post('/authorize', { form: first.field('form'), api_key: key });
  let consent = second;
  for (const [index, otherKey] of otherKeys.entries()) {
    const empty = await person.post('/authorize', { form: consent.field('form'), decision: 'add' });
    consent = await person.post('/authorize', [
      ['form', empty.field('form')],
      ['decision', 'add_key'],
      ...names.slice(0, index + 2).map((name) => ['workspace', name] as const),
      ['api_key', otherKey],
    ]);
  }
  const last = await person.post('/authorize', [
    ['form', consent.field('form')],
    ['decision', 'allow'],
    ...groups.map((group) => ['group', group] as const),
    ['changes', readOnly ? 'no' : 'yes'],
    ['confirm', confirm],
  ]);
  const back = last.back();
  return { back, code: back.searchParams.get('code') ?? '', verifier, pages: [first, second, last] };
}

/** A token response (RFC 6749 §5.1); other fields are kept for tests of them. */
const TokenSet = z.looseObject({
  token_type: z.string(),
  access_token: z.string(),
  refresh_token: z.string(),
  scope: z.string(),
  expires_in: z.number(),
});
export type TokenSet = z.infer<typeof TokenSet>;

/** Exchanges a code for tokens. `wrong` replaces fields of the request. */
export function redeemCode(
  url: string,
  host: TestHost,
  { code, verifier, ...wrong }: { code: string; verifier: string } & Record<string, string>,
) {
  return postForm(url, '/token', {
    grant_type: 'authorization_code',
    client_id: host.clientId,
    redirect_uri: host.redirect,
    code,
    code_verifier: verifier,
    ...wrong,
  });
}

/** Registers an app, signs in, and returns the tokens. */
export async function tokensAt(url: string, options: SignIn & { host?: TestHost }) {
  const host = options.host ?? (await registerHost(url));
  const { code, verifier } = await signInAt(url, host, options);
  const answer = await redeemCode(url, host, { code, verifier });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return { host, tokens: TokenSet.parse(answer.body) };
}

export function refreshAt(url: string, host: TestHost, refreshToken: string) {
  return postForm(url, '/token', {
    grant_type: 'refresh_token',
    client_id: host.clientId,
    refresh_token: refreshToken,
  });
}

/** Sends one request of the 2025 protocol. Returns the message of the response, from JSON or from a stream. */
export async function rpcAt(url: string, token: string | undefined, method: string, params: object = {}) {
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await answer.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const body = data === '' ? {} : (JSON.parse(data) as Json);
  return { status: answer.status, headers: answer.headers, body };
}

export async function toolNamesAt(url: string, token: string): Promise<string[]> {
  const { body } = await rpcAt(url, token, 'tools/list');
  return (body['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

export async function callAt(url: string, token: string, name: string, args: object = {}) {
  const { status, headers, body } = await rpcAt(url, token, 'tools/call', { name, arguments: args });
  const result = (body['result'] ?? {}) as { isError?: boolean; content?: { text: string }[] };
  const text = result.content?.[0]?.text ?? '';
  return {
    status,
    headers,
    isError: result.isError === true,
    data: text.startsWith('{') ? (JSON.parse(text) as Json) : {},
  };
}
