/** A service behind a tap: what it answers goes on unchanged, and is kept. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

export interface Came {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export async function createTap(url: string) {
  const { origin, pathname } = new URL(url);
  const came: Came[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = incoming.headers;
    const answer = await request(`${origin}${incoming.url}`, {
      method: incoming.method as 'GET',
      headers: headers as Record<string, string>,
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    came.push({ headers: answer.headers, text: bytes.toString() });
    const { 'transfer-encoding': ____, connection: _____, ...back } = answer.headers;
    outgoing.writeHead(answer.statusCode, back as Record<string, string>);
    outgoing.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname}`,
    came: (): readonly Came[] => came,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Words that a service says of itself, whatever is in it: states, kinds, media types, scopes. */
const WORDS = /^[a-z][a-z_.:-]{0,24}$|^[a-z]+\/[\w.+-]+(?:; ?charset=utf-8)?$|^\d{1,5}$|^[A-Z]{3}$/;

/** Every text of answers that could be one of an account: long enough to be found, and no word of the service's own. */
export function collectTexts(came: readonly Came[]): string[] {
  const texts = new Set<string>();
  const add = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'number') texts.add(String(value));
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) add(inner);
  };
  for (const { headers, text } of came) {
    for (const [name, value] of Object.entries(headers)) if (!/^(?:date|content-)/.test(name)) add(value);
    try {
      add(JSON.parse(text));
    } catch {
      add(text.slice(0, 2000));
    }
  }
  return [...texts].filter((text) => text.length >= 6 && !WORDS.test(text));
}
