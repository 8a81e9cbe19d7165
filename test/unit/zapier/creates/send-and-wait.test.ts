/** Send Agreement and Wait: what is registered, sent and waited for, and what is left where sending fails. */
import { describe, expect, test } from 'vitest';
import { sendAndWait } from '../../../../zapier/creates/send-and-wait.ts';
import { createStub } from '../../../support/create-stub.ts';
import { type ZapAnswer, type ZapCall, zapStep } from '../../../support/zap-step.ts';
import { texts } from '../../../zapier/texts.ts';

const { perform, performResume } = sendAndWait.operation as Record<'perform' | 'performResume', unknown>;
const CALLBACK = 'https://hooks.test/callback';
const inputData = { agreement: 'agr_1', signer_emails: ['ada@example.com'], message: 'Please sign' };

/** A service that registers, sends and lists; `over` answers first. */
function service(over: (call: ZapCall) => ZapAnswer = () => undefined) {
  const step = zapStep((call) => {
    const answered = over(call);
    if (answered) return answered;
    if (call.path === '/webhooks') return { status: 201, json: { id: 'wh_1', secret: 'whsec_shh' } };
    if (call.path === '/agreements/agr_1/send') return { json: { id: 'agr_1', name: 'NDA', status: 'sent' } };
    return call.method === 'DELETE' ? { status: 204 } : undefined;
  });
  Object.assign(step.z, { generateCallbackUrl: () => CALLBACK });
  return step;
}
const routes = ({ calls }: ReturnType<typeof zapStep>) => calls.map(({ method, path }) => `${method} ${path}`);
const failure = (made: Promise<unknown>) =>
  made.then(
    () => 'it went through',
    ({ name, message }: Error) => `${name}: ${message}`,
  );

test('it listens first, sends then, and says what it waits for without a secret', async () => {
  const step = service();
  const shown = await step.run(perform, { inputData });
  const [listening, sending] = step.calls.filter(({ method }) => method === 'POST');
  expect([listening?.path, sending?.path]).toEqual(['/webhooks', '/agreements/agr_1/send']);
  expect(listening?.body).toMatchObject({
    url: CALLBACK,
    events: expect.arrayContaining(['envelope.signed', 'envelope.declined']),
  });
  expect(sending?.body).toMatchObject({ message: 'Please sign' });
  expect(JSON.stringify(sending?.body)).toContain('ada@example.com');
  expect(shown).toMatchObject({
    id: 'agr_1',
    name: 'NDA',
    status: 'sent',
    signed_document: expect.stringContaining('agr_1'),
    waiting: { agreement_id: 'agr_1', webhook_id: 'wh_1' },
  });
  expect(JSON.stringify(shown)).not.toMatch(/whsec_shh|hooks\.test/);
});

test('a service that knows no ends is asked for the signature alone', async () => {
  const step = service(({ path, body }) =>
    path === '/webhooks' && (body as { events: string[] }).events.length > 1
      ? { status: 422, json: { message: 'unknown event' } }
      : undefined,
  );
  await step.run(perform, { inputData });
  expect(step.calls.at(-2)?.body).toMatchObject({ events: ['envelope.signed'] });
  expect(routes(step).at(-1)).toBe('POST /agreements/agr_1/send');
});

test("the editor's test sends, and leaves nothing that listens", async () => {
  const step = service();
  const shown = await step.run(perform, { inputData, meta: createStub({ isLoadingSample: true }) });
  expect(routes(step)).toEqual(['POST /agreements/agr_1/send']);
  expect(shown['waiting']).toEqual({ agreement_id: 'agr_1' });
});

describe('where sending fails', () => {
  const refused = (status: number) => (call: ZapCall) =>
    call.path.endsWith('/send') ? { status, json: { message: 'refused' } } : undefined;

  test.each([422, 500])('with a %i nothing goes on listening', async (status) => {
    const step = service(refused(status));
    expect(await failure(step.run(perform, { inputData }))).not.toBe('it went through');
    expect(routes(step)).toContain('DELETE /webhooks/wh_1');
  });

  test('it is told, even where what listens can not be taken away', async () => {
    const step = service((call) =>
      call.method === 'DELETE' ? { status: 403, json: { message: 'kept' } } : refused(422)(call),
    );
    expect(await failure(step.run(perform, { inputData }))).toContain('refused');
  });

  test.each([
    ['was sent before', { id: 'agr_1', status: 'Sent' }, true],
    ['is a draft', { id: 'agr_1', status: 'draft' }, false],
    ['has no status', { id: 'agr_1' }, false],
    ['is not there', { id: 'agr_2', status: 'sent' }, false],
  ])('by a conflict, and the agreement %s', async (_, found, isWaitedFor) => {
    const step = service((call) => (call.path === '/agreements' ? { json: { data: [found] } } : refused(409)(call)));
    const said = await failure(step.run(perform, { inputData }));
    expect(said === 'it went through').toBe(isWaitedFor);
    expect(routes(step).includes('DELETE /webhooks/wh_1')).toBe(!isWaitedFor);
  });

  test.each([
    ['sent', true],
    ['pending', false],
  ])(
    'as bad input is, and the agreement is %s, which tells whether it is waited for (%j)',
    async (status, isWaitedFor) => {
      const json = { data: [{ id: 'agr_1', status }] };
      const step = service((call) => (call.path === '/agreements' ? { json } : refused(422)(call)));
      const said = await failure(step.run(perform, { inputData }));
      expect(said === 'it went through').toBe(isWaitedFor);
    },
  );
});

describe('when something was signed', () => {
  const resumed = async (
    found: object,
    outputData: object = { waiting: { agreement_id: 'agr_1', webhook_id: 'wh_1' } },
  ) => {
    const step = service(({ path }) => (path === '/agreements' ? { json: { data: [found] } } : undefined));
    const bundle = { inputData: { ...inputData, agreement: 'agr_1' }, outputData };
    return { said: await failure(step.run(performResume, bundle)), routes: routes(step) };
  };

  test.each([
    ['expired', 'has expired'],
    ['Declined', 'was declined'],
  ])('one that %s ends the Zap with the reason', async (status, words) => {
    const { said, routes } = await resumed({ id: 'agr_1', status });
    expect(said).toBe(
      `HaltedError: The agreement ${words}, so it will not be signed. The Zap stops here; send a new agreement if you need one.`,
    );
    expect(routes.at(-1)).toBe('DELETE /webhooks/wh_1');
  });

  test('one that is gone was deleted', async () => {
    expect((await resumed({ id: 'agr_2' })).said).toContain('The agreement was deleted');
  });

  test('another one is looked past, and Zapier comes again', async () => {
    const { said, routes } = await resumed({ id: 'agr_1', status: 'sent' });
    expect(said).toBe(texts.throttlederrorStillWaitingSignature);
    expect(routes.some((route) => route.startsWith('DELETE'))).toBe(false);
  });

  test.each([[null], [{}]])('a step that kept %j goes by its own field, and takes nothing away', async (kept) => {
    const { said, routes } = await resumed({ id: 'agr_1', status: 'signed' }, kept as object);
    expect(said).toBe('it went through');
    expect(routes.some((route) => route.startsWith('DELETE'))).toBe(false);
  });
});

test('Zapier shows it by these words, and offers the signed file', () => {
  expect(sendAndWait).toMatchObject({
    key: 'send_and_wait',
    noun: 'Agreement',
    display: { label: texts.sendAgreementWaitSignature, description: texts.sendsAgreementContinuesZap },
  });
  const { outputFields, sample } = sendAndWait.operation as { outputFields: unknown; sample: object };
  expect(outputFields).toContainEqual({ key: 'signed_document', label: 'Signed Document', type: 'file' });
  expect(sample).toMatchObject({
    id: expect.any(String),
    signed_document: 'https://files.example.com/mutual-nda-with-northwind.pdf',
  });
});
