/**
 * One request, as it is: no redirect followed, nothing made of the answer but its text, eight at once at most. For tests
 * that ask hundreds of times: `fetch` takes three times as long for the same, and a connection for each that waits.
 */
import { Agent, request } from 'undici';

const dispatcher = new Agent({ connections: 8 });

export interface ServiceRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export async function askService(url: string, sent: ServiceRequest): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(url, { ...sent, dispatcher } as Parameters<typeof request>[1] & object);
  return { status: statusCode, text: await body.text() };
}
