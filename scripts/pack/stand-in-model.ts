import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface Turn {
  readonly name: string;
  /** @param results what the tools returned before */
  readonly args: (results: readonly string[]) => object;
}

/** Fake model API of OpenAI and Anthropic: makes the given calls, then repeats the last result. */
export async function startStandInModel(turns: readonly Turn[]): Promise<{ url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://model');
    const isAnthropic = pathname.endsWith('/messages');
    const { input = [], messages = [] } = JSON.parse(await text(request));
    const results: string[] = isAnthropic
      ? messages.flatMap(({ content }: { content: unknown }) =>
          (Array.isArray(content) ? content : []).flatMap((part) =>
            part.type === 'tool_result' ? (part.content[0]?.text ?? part.content) : [],
          ),
        )
      : input.flatMap((item: { type?: string; output?: string }) =>
          item.type === 'function_call_output' ? item.output : [],
        );
    const turn = turns[results.length];
    const [name, args, said] = [turn?.name, turn?.args(results), results.at(-1) ?? ''];
    const id = `call_${results.length}`;
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
    const message = { type: 'message', id: 'msg_1', role: 'assistant', model: 'stand-in', usage };
    const body = isAnthropic
      ? {
          ...message,
          stop_reason: turn ? 'tool_use' : 'end_turn',
          content: [turn ? { type: 'tool_use', id, name, input: args } : { type: 'text', text: said }],
        }
      : {
          ...{ id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'stand-in', usage },
          output: [
            turn
              ? { type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(args) }
              : { ...message, content: [{ type: 'output_text', text: said, annotations: [] }] },
          ],
        };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
