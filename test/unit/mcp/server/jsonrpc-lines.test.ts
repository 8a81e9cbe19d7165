/** What can be told of a text that is no message: whom it concerns, and which form it was meant to answer. */
import { describe, expect, test } from 'vitest';
import { isCallEnvelope, isResponseEnvelope, parseEnvelopes } from '../../../../mcp/server/jsonrpc-envelope.ts';
import { createPendingRequests } from '../../../../mcp/server/pending-requests.ts';
import { createLineReader, MAX_LINE_BYTES } from '../../../../mcp/server/stdio-lines.ts';

const idsIn = (text: string) => parseEnvelopes(text).map(({ id }) => id);
const namesIn = (text: string) => parseEnvelopes(text).map(({ keys }) => [...keys]);

describe('the top of a text', () => {
  test.each<[string, unknown[]]>([
    ['{"id":7}', [7]],
    ['{"id":007}', [7]],
    ['{"id":00,"result":{}}', [0]],
    ['{"id":-7,"result":', [-7]],
    [' { "jsonrpc" : "2.0" , "id" : "a.b:c_d-1" , ', ['a.b:c_d-1']],
    ['{"result":{"action":"decline",},"id":0}', [0]],
    ['{"result":{"id":1,"a":[{"id":2}]},"id":3}', [3]],
    ['{"a":"\\"id\\":4,","id":5}', [5]],
    ['{"a":"id","b":"}","id":6}', [6]],
    ['[{"id":1,"result":{}},{"id":2}]', [1, 2]],
    [' [ [{"id":1}], {"id":2} ]', [2]],
    ['{"id":1}{"id":2}', [1, 2]],
    // Two, none that can be read, one that is cut short: nobody knows.
    ['{"id":1,"id":2}', [undefined]],
    ['{"id":{"id":1}}', [undefined]],
    ['{"id":1.5}', [undefined]],
    ['{"id":"a b"}', [undefined]],
    ['{"id":1234567890123456}', [undefined]],
    ['{"id":12', [undefined]],
    ['{"id', [undefined]],
    ['{"id","x":1}', [undefined]],
    ['{', [undefined]],
    ['"id":1', []],
    ['hello', []],
    ['[1,"id",2]', []],
    ['', []],
  ])('%s concerns %j', (text, ids) => {
    expect(idsIn(text)).toEqual(ids);
  });

  test('has the names of its objects, and none of what is within', () => {
    expect(namesIn('{"jsonrpc":"2.0","result":{"method":"x"},"more" : 1,"last"}')).toEqual([
      ['jsonrpc', 'result', 'more'],
    ]);
    expect(namesIn('[{"method":"x"},{"result":[{"params":1}]}]')).toEqual([['method'], ['result']]);
  });

  test.each([
    ['{"method":"x"}', true, false],
    ['{"params":{}}', true, false],
    ['{"method":"x","result":1}', true, false],
    ['{"result":1}', false, true],
    ['{"error":1}', false, true],
    ['{"id":1}', false, false],
  ])('%s is a call: %s, an answer: %s', (text, call, answer) => {
    const [one] = parseEnvelopes(text);
    expect(one && [isCallEnvelope(one), isResponseEnvelope(one)]).toEqual([call, answer]);
  });
});

describe('questions that are open', () => {
  const ask = (id: number) => ({ jsonrpc: '2.0' as const, id, method: 'elicitation/create', params: {} });
  const open = (...ids: number[]) => {
    const questions = createPendingRequests();
    for (const id of ids) questions.onSent(ask(id));
    return questions;
  };
  const ended = (questions: ReturnType<typeof open>, text: string) =>
    questions.closeMalformed(parseEnvelopes(text)).map(({ id }) => id);

  test('end once, with an error that is no answer of anybody', () => {
    const questions = open(0);
    expect(questions.closeMalformed(parseEnvelopes('{"id":0,'))).toEqual([
      { jsonrpc: '2.0', id: 0, error: { code: -32_700, message: expect.any(String) } },
    ]);
    expect(ended(questions, '{"id":0,')).toEqual([]);
  });

  test('are open no more once they are answered, or taken back', () => {
    const questions = open(0, 1, 2);
    questions.onReceived({ jsonrpc: '2.0', id: 0, result: {} });
    questions.onReceived({ jsonrpc: '2.0', id: 2, method: 'ping' });
    questions.onSent({ jsonrpc: '2.0', id: 2, result: {} });
    questions.onSent({ jsonrpc: '2.0', method: 'notifications/progress', params: { requestId: 2 } });
    questions.onSent({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    questions.onSent({ jsonrpc: '2.0', method: 'notifications/cancelled' });
    expect(ended(questions, '{"id":0,')).toEqual([]);
    expect(ended(questions, '{"result":')).toEqual([2]);
  });
});

test('a fault of whoever hears a line costs no other line', () => {
  const heard: string[] = [];
  const reader = createLineReader(
    (line) => {
      heard.push(`${line}`);
      if (`${line}` === 'bad') throw new Error('mine');
    },
    () => {
      throw new Error('too long');
    },
  );
  expect(() => reader.push(Buffer.from('one\nbad\n'))).toThrow('mine');
  expect(() => reader.push(Buffer.from(`${'x'.repeat(MAX_LINE_BYTES + 1)}\n`))).toThrow('too long');
  reader.push(Buffer.from('two\nthr'));
  reader.push(Buffer.from('ee\n'));
  expect(heard).toEqual(['one', 'bad', 'two', 'three']);
});
