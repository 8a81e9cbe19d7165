import { expect, test } from 'vitest';
import { createMonitoring, type RequestTracker } from '../../../mcp/hosted/monitoring/monitoring.ts';
import { createTracing } from '../../../mcp/hosted/monitoring/tracing.ts';
import { createStub } from '../../support/create-stub.ts';
import { createLog, createMemoryState, tools } from '../../support/mcp-parts.ts';

async function open() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({
    level: 'info',
    baseFields: { replica: 'r1' },
    write: (line) => void lines.push(JSON.parse(line)),
  });
  const state = createMemoryState();
  const operations = await createMonitoring({
    log,
    state: async () => state,
    replica: 'r1',
    connections: async () => 7,
    limits: { perGrant: 2, total: 3, bodyBytes: 3_000_000 },
  });
  return { operations, lines };
}

const ends: (() => void)[] = [];
const sendAll = () => ends.splice(0).forEach((end) => void end());
const asked = (headers: Record<string, string> = {}) => ({
  request: new Request('http://x/mcp', { method: 'POST', headers }),
  whenSent: (act: () => void) => void ends.push(act),
});

test('running calls are limited per grant and in total, and a slot is freed when its response has been sent', async () => {
  const { operations, lines } = await open();
  const stream = (grant: string) => async (visit: RequestTracker) => visit.admitGrant(grant) ?? new Response('answer');
  const first = await operations.serve(asked(), stream('a'));
  const second = await operations.serve(asked(), stream('a'));
  const third = await operations.serve(asked(), stream('a'));
  expect([first.status, second.status, third.status]).toEqual([200, 200, 429]);
  ends[2]?.();
  expect(third.headers.get('retry-after')).toBe('1');
  expect(operations.running()).toBe(2);
  expect((await operations.serve(asked(), stream('b'))).status).toBe(200);
  const refused = await operations.serve(asked(), stream('c'));
  expect(refused.status).toBe(503);
  expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
  ends[0]?.();
  ends[1]?.();
  expect(operations.running()).toBe(1);
  expect((await operations.serve(asked(), stream('a'))).status).toBe(200);
  sendAll();
  expect(lines.map(({ event, reason }) => [event, reason])).toEqual([
    ['request_rejected', 'grant'],
    ['request_rejected', 'all'],
  ]);
  expect(JSON.stringify(lines)).not.toMatch(/"grant":"[abc]"/);
});

test.each([
  ['ok', 'info', ''],
  ['forbidden', 'info', 'forbidden'],
  ['internal', 'error', 'internal'],
])('a call that ends with %s is one line of the level %s and one metric', async (outcome, level, error) => {
  const { operations, lines } = await open();
  operations.observe(createStub({ name: 'a_tool' }), createStub({ mcpReq: {} })).end(outcome);
  expect(lines).toMatchObject([{ level, event: 'call', outcome }]);
  const { text } = await operations.metrics.text();
  expect(text).toContain(`mcp_method_name="tools/call",gen_ai_tool_name="a_tool",error_type="${error}"} 1`);
});

test('a failed response frees its slot', async () => {
  const { operations } = await open();
  for (let index = 0; index < 5; index++) {
    await expect(operations.serve(asked(), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    sendAll();
  }
  expect(operations.running()).toBe(0);
});

test('a call has one log line, one metric, the request ID of the proxy and the trace of its message', async () => {
  const { operations, lines } = await open();
  const tool = tools.find(({ name }) => name === 'list_links');
  if (!tool) throw new Error('no tool');
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const response = await operations.serve(asked({ 'x-request-id': 'edge-1', traceparent }), async (visit) => {
    expect(visit.context.traceparent).toBe(traceparent);
    visit.admitGrant('the grant');
    visit.recordMethod({ method: 'tools/call' });
    const http = { authInfo: { extra: { requestContext: visit.context } } };
    const observed = operations.observe(tool, { http, mcpReq: { _meta: { traceparent } } });
    await observed.run(async () => undefined);
    observed.end('not_found');
    return Response.json({});
  });
  expect(response.headers.get('x-request-id')).toBe('edge-1');
  expect(lines).toEqual([
    {
      time: expect.any(String),
      level: 'info',
      event: 'call',
      replica: 'r1',
      request_id: 'edge-1',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      grant: expect.stringMatching(/^[\w-]{16}$/),
      tool: 'list_links',
      outcome: 'not_found',
      ms: expect.any(Number),
    },
  ]);
  const { text } = await operations.metrics.text();
  const labels = 'mcp_method_name="tools/call",gen_ai_tool_name="list_links",error_type="not_found"';
  expect(text).toContain(`mcp_server_operation_duration_seconds_count{${labels}} 1`);
  expect(text).toContain('docshare_connections 7');
  expect(text).toMatch(/docshare_state_up 1/);
});

test('a request ID and a method from outside are never logged or used as a label unchanged', async () => {
  const { operations } = await open();
  const long = await operations.serve(asked({ 'x-request-id': 'x'.repeat(65) }), async () => Response.json({}));
  expect(long.headers.get('x-request-id')).toHaveLength(36);
  const response = await operations.serve(asked({ 'x-request-id': 'a b"\\{evil="1"}' }), async (visit) => {
    visit.recordMethod({ method: 'x"} 1\nevil{a="' });
    return Response.json({});
  });
  expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
  sendAll();
  const { text } = await operations.metrics.text();
  expect(text).not.toContain('evil');
  expect(text).toContain('mcp_method_name="other"');
});

test('spans are children of the trace in the message, rather than of the HTTP request', async () => {
  const { trace, context, propagation, ROOT_CONTEXT } = await import('@opentelemetry/api');
  const started: { name: string; parent: string | undefined; ended?: boolean }[] = [];
  const tracer = {
    startSpan(name: string, _: unknown, within: typeof ROOT_CONTEXT) {
      const span = { name, parent: trace.getSpanContext(within)?.traceId };
      started.push(span);
      return {
        spanContext: () => ({ traceId: span.parent ?? 'f'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
        setAttribute: () => undefined,
        setStatus: () => undefined,
        end: () => Object.assign(span, { ended: true }),
      };
    },
  };
  trace.setGlobalTracerProvider({ getTracer: () => tracer } as never);
  propagation.setGlobalPropagator({
    inject: () => undefined,
    fields: () => [],
    extract: (within: typeof ROOT_CONTEXT, carrier: Record<string, string>) => {
      const traceId = carrier['traceparent']?.split('-')[1];
      return traceId ? trace.setSpanContext(within, { traceId, spanId: '2'.repeat(16), traceFlags: 1 }) : within;
    },
  } as never);
  const tracing = await createTracing();
  const [inner, outer] = ['a'.repeat(32), 'b'.repeat(32)];
  const parentOf = (traceId: string) => `00-${traceId}-${'2'.repeat(16)}-01`;
  for (const meta of [{ traceparent: parentOf(inner) }, {}, { traceparent: 7 }, undefined]) {
    const span = tracing.start({ tool: 't', meta, traceparent: parentOf(outer) });
    expect(span.traceId).toBe(meta && meta.traceparent === parentOf(inner) ? inner : outer);
    span.end('not_found');
  }
  expect(started.map(({ name, parent, ended }) => [name, parent, ended])).toEqual([
    ['tools/call t', inner, true],
    ...Array(3).fill(['tools/call t', outer, true]),
  ]);
  trace.disable();
  context.disable();
  propagation.disable();
});
