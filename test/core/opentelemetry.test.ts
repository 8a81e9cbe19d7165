import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type AttributeValue,
  type Context,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  type SpanStatus,
  trace,
} from '@opentelemetry/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLimiter } from '../../src/index.ts';
import { createSpanHooks } from '../../src/opentelemetry.ts';
import { createStub } from '../support/create-stub.ts';
import { json, openScripted } from '../support/scripted-service.ts';
import { readSources } from '../support/source-files.ts';

interface Seen {
  readonly name: string;
  readonly kind: number | undefined;
  readonly parent: string | undefined;
  readonly attributes: Attributes;
  readonly events: string[];
  status?: SpanStatus;
  ended: number;
}

/** A tracer that records its spans; a span's ID is its index. */
function createTracer() {
  const spans: Seen[] = [];
  const startSpan = (name: string, options: SpanOptions = {}, within: Context = ROOT_CONTEXT): Span => {
    const spanId = String(spans.length);
    const parent = trace.getSpan(within)?.spanContext().spanId;
    const attributes = { ...options.attributes };
    const seen: Seen = { name, kind: options.kind, parent, attributes, events: [], ended: 0 };
    spans.push(seen);
    return createStub<Span>({
      spanContext: () => ({ traceId: '1', spanId, traceFlags: 1 }),
      setAttribute: (key: string, value: AttributeValue) => Object.assign(seen.attributes, { [key]: value }),
      addEvent: (event: string) => void seen.events.push(event),
      setStatus: (status: SpanStatus) => Object.assign(seen, { status }),
      end: () => {
        seen.ended += 1;
      },
    });
  };
  return { spans, tracer: { startSpan, startActiveSpan: () => undefined as never } };
}

const storage = new AsyncLocalStorage<Context>();
beforeAll(() => {
  const manager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active: Context, act: (...args: unknown[]) => unknown, self?: unknown, ...args: unknown[]) =>
      storage.run(active, () => act.apply(self, args)),
    bind: <Target>(_: Context, target: Target) => target,
    enable: () => manager,
    disable: () => manager,
  };
  context.setGlobalContextManager(manager as Parameters<typeof context.setGlobalContextManager>[0]);
});
afterAll(() => context.disable());

test('a call is a span, and each of its requests is a client span below it', async () => {
  const { spans, tracer } = createTracer();
  const service = await openScripted([json({}, 503), json({ data: [] }, 200, { 'x-request-id': 'r1' })], {
    hooks: createSpanHooks({ tracer }),
  });
  await service.client.documents.list({ limit: 2, api_key: 'hidden' });
  const { hostname, port } = new URL(service.origin);
  const request = {
    'http.request.method': 'GET',
    'url.full': `${service.origin}/api/v1/documents?limit=2&api_key=[redacted]`,
    'server.address': hostname,
    'server.port': Number(port),
  };
  expect(spans).toMatchObject([
    {
      name: 'docshare documents.list',
      kind: 0,
      parent: undefined,
      attributes: { 'docshare.operation': 'documents.list', 'docshare.target': 'api' },
      events: ['docshare.retry'],
      ended: 1,
    },
    {
      name: 'GET',
      kind: 2,
      parent: '0',
      attributes: { ...request, 'http.response.status_code': 503, 'error.type': '503' },
      status: { code: 2 },
      ended: 1,
    },
    {
      name: 'GET',
      parent: '0',
      attributes: {
        ...request,
        'http.response.status_code': 200,
        'http.request.resend_count': 1,
        'docshare.request_id': 'r1',
      },
      ended: 1,
    },
  ]);
  expect(spans[0]?.status).toBeUndefined();
  expect(JSON.stringify(spans)).not.toMatch(/hidden|key_live/);
});

test("calls that queue together stay below their own callers' spans", async () => {
  const { spans, tracer } = createTracer();
  const limiter = createLimiter({ requests: 2, windowMs: 200 });
  const service = await openScripted([json({ data: [] })], { hooks: createSpanHooks({ tracer }), limiter });
  const callers = ['a', 'b', 'c', 'd', 'e'].map((name) => {
    const span = tracer.startSpan(name);
    return context.with(trace.setSpan(ROOT_CONTEXT, span), async () => {
      await service.client.documents.list({ name });
    });
  });
  await Promise.all(callers);
  const nameOf = (id: string | undefined) => spans[Number(id)]?.name;
  for (const { name, parent, attributes } of spans.filter(({ name }) => name === 'GET')) {
    expect(name).toBe('GET');
    expect(nameOf(spans[Number(parent)]?.parent)).toBe(
      new URL(String(attributes['url.full'])).searchParams.get('name'),
    );
  }
  expect(spans.filter(({ ended }) => ended === 0).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(spans.some(({ events }) => events.includes('docshare.wait'))).toBe(true);
});

test('a failed call ends its spans with the kind of its error, but not its message', async () => {
  const { spans, tracer } = createTracer();
  const service = await openScripted([(request) => request.socket.destroy()], { hooks: createSpanHooks({ tracer }) });
  await service.client.agreements.send({ id: 'a' }).catch(() => undefined);
  expect(spans).toMatchObject([
    { attributes: { 'error.type': 'UnknownOutcomeError' }, status: { code: 2 }, ended: 1 },
    { name: 'POST', attributes: { 'error.type': 'UnknownOutcomeError' }, status: { code: 2 }, ended: 1 },
  ]);
  expect(spans.every(({ status }) => status?.message === undefined)).toBe(true);
});

test('the core does not import it: without spans nothing is loaded', () => {
  const importers = readSources(['src', 'mcp', 'zapier', 'sandbox'])
    .filter(({ text }) => /from '(?:@opentelemetry\/|[./\w-]*opentelemetry\.ts)/.test(text))
    .map(({ path }) => path);
  expect(importers).toEqual(['src/opentelemetry.ts']);
});
