import { createHash } from 'node:crypto';
import { type Fields, toBody } from './hosted-calls.ts';
import { authorizePath, createPkce, redeemCode, registerHost, type TestHost, TokenSet } from './hosted-oauth.ts';

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

const ALL_GROUPS = 'documents links rooms agreements proposals templates contacts analytics webhooks billing'.split(
  ' ',
);

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
  const { key, names = [], otherKeys = [], groups = ALL_GROUPS } = options;
  const { readOnly = false, confirm = 'auto', query = {} } = options;
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

/** Registers an app, signs in, and returns the tokens. */
export async function tokensAt(url: string, options: SignIn & { host?: TestHost }) {
  const host = options.host ?? (await registerHost(url));
  const { code, verifier } = await signInAt(url, host, options);
  const answer = await redeemCode(url, host, { code, verifier });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return { host, tokens: TokenSet.parse(answer.body) };
}
