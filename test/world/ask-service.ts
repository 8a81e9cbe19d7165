/**
 * One request, as it is: no redirect followed, nothing made of the answer but its text. For tests that ask thousands of
 * times: `fetch` takes three times as long for the same.
 */
import { Agent, request } from 'undici';

const dispatcher = new Agent();

export interface Asked {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export async function askService(url: string, asked: Asked): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url, { ...asked, dispatcher } as Parameters<typeof request>[1] &
    object);
  return { status: statusCode, text: await body.text() };
}
