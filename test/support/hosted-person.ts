import { createHash } from 'node:crypto';

/** A browser without a screen: keeps cookies and submits forms as a browser would. */
export interface Person {
  open(url: string, headers?: Record<string, string>): Promise<{ status: number; text: string; title: string }>;
  send(
    url: string,
    fields: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<{ status: number; text: string; title: string }>;
  /** Opens a question's page and answers it there. */
  say(url: string, word: 'yes' | 'no'): Promise<string>;
  /** Enters the key on a page that asks for it. */
  giveKey(url: string, key: string): Promise<string>;
}

export function createPerson(cookie = ''): Person {
  const jar = new Map(cookie === '' ? [] : [cookie.split('=') as [string, string]]);

  async function exchange(url: string, init: RequestInit): Promise<{ status: number; text: string; title: string }> {
    const cookies = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: { ...(cookies ? { cookie: cookies } : {}), ...(init.headers as Record<string, string>) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (response.status === 303 && location) return exchange(location, {});
    const text = await response.text();
    return { status: response.status, text, title: /<h1>([^<]*)/.exec(text)?.[1] ?? '' };
  }

  const open: Person['open'] = (url, headers = {}) => exchange(url, { headers });
  const send: Person['send'] = (url, fields, headers = {}) =>
    exchange(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: new URL(url).origin, ...headers },
    });
  return {
    open,
    send,
    async say(url, word) {
      return (await send(url, { form: formOf((await open(url)).text), decision: word === 'yes' ? 'approve' : 'deny' }))
        .title;
    },
    giveKey: async (url, key) => (await send(url, { api_key: key })).title,
  };
}

/** Returns the fields of a page's form. */
export function formOf(page: string): string {
  return /name="form" value="([^"]+)"/.exec(page)?.[1] ?? '';
}

/** The cookie of a browser that signed in, and its hash as stored in a grant. */
export function signedInBrowser(letter: string): { cookie: string; browser: string } {
  const value = letter.repeat(43);
  const hash = createHash('sha256').update(`docshare browser\n${value}`).digest('base64url');
  return { cookie: `docshare=${value}`, browser: hash.slice(0, 22) };
}
