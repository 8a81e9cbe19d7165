/** Requests to a hosted server: forms, JSON and tool calls. */

/** Fields of a form. Pairs can repeat a name. */
export type Fields = readonly (readonly [string, string])[] | Readonly<Record<string, string>>;

export const toBody = (fields: Fields) => new URLSearchParams(Array.isArray(fields) ? fields : Object.entries(fields));
type Json = Record<string, unknown>;

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
  return { status: answer.status, headers: answer.headers, body: data === '' ? {} : (JSON.parse(data) as Json) };
}

export async function toolNamesAt(url: string, token: string): Promise<string[]> {
  const { body } = await rpcAt(url, token, 'tools/list');
  return (body['result'] as { tools: { name: string }[] }).tools.map(({ name }) => name);
}

export async function callAt(url: string, token: string, name: string, args: object = {}) {
  const { status, headers, body } = await rpcAt(url, token, 'tools/call', { name, arguments: args });
  const result = (body['result'] ?? {}) as { isError?: boolean; content?: { text: string }[] };
  const text = result.content?.[0]?.text ?? '';
  const data = text.startsWith('{') ? (JSON.parse(text) as Json) : {};
  return { status, headers, isError: result.isError === true, data };
}
