/** Requests that no client should send, drawn from a seed. */
import { gzipSync } from 'node:zlib';
import { nextInteger, pick, type Random } from '../../sandbox/base/random.ts';
import { operations } from '../../src/index.ts';

export interface BadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

const nested = (depth: number, open = '[', close = ']') => open.repeat(depth) + close.repeat(depth);
const form = (parts: number) =>
  `${'--b\r\ncontent-disposition: form-data; name="x"\r\n\r\ny\r\n'.repeat(parts)}--b--\r\n`;

/** Drawn hundreds of times: the last is of 550,000 bytes. */
const FORMS = [1, 2, 10_000].map((parts) => new Uint8Array(Buffer.from(form(parts))));

/** Texts that are no JSON, or JSON that no one means. */
export const BAD_TEXTS: Readonly<Record<string, string>> = {
  nothing: '',
  'half an object': '{"email":',
  'an open text': '{"email":"a@b.c',
  'a slash at the end': '"\\',
  null: 'null',
  'a list': '[]',
  'a number': '5',
  'a text': '"x"',
  '9,000 lists in each other': `{"email":"a@example.com","name":"n","x":${nested(9000)}}`,
  '9,000 lists': nested(9000),
  '9,000 objects in each other': nested(9000, '{"a":', '}'),
  '33 levels': `{"email":"a@example.com","name":"n","x":${nested(33)}}`,
  '50,000 values': `{"name":"n","x":[${'1,'.repeat(50_000)}1]}`,
  '50,000 names': `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join()}}`,
  'a text of 500,000 characters': JSON.stringify({ email: 'a@example.com', name: 'n'.repeat(500_000) }),
  'a name of 5,000 characters': JSON.stringify({ name: 'n', ['k'.repeat(5000)]: 1 }),
  'a prototype': '{"name":"n","email":"a@example.com","__proto__":{"id":"x"}}',
  'a written prototype': '{"name":"n","\\u005f_proto__":{"id":"x"}}',
  'a name twice': '{"name":"n","name":"m"}',
  'half a character': '{"name":"\\ud800","email":"a@example.com"}',
  'a NUL': '{"name":"a\\u0000b","email":"a@example.com"}',
  'an endless number': '{"name":"n","x":1e999}',
  'endless numbers in a list': '{"name":"n","items":[{"quantity":1e308,"unit_price":1e308}]}',
  'fields of the service itself': JSON.stringify({
    name: 'n',
    email: 'a@example.com',
    created_at: 'never',
    url: 5,
    status: [],
    object: 'document',
    constructor: { name: 1 },
  }),
};

const ODD_VALUES: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e30,
  -1e30,
  '',
  ' ',
  'x',
  '\u202e',
  true,
  [],
  {},
  [null],
  [[]],
  [{}],
  { email: 5 },
  'a@b',
  [1],
];
const FIELDS = [
  'name',
  'email',
  'document_id',
  'room_id',
  'expires_at',
  'max_visitors',
  'password',
  'email_required',
  'items',
  'currency',
  'recipients',
  'signers',
  'tags',
  'tag',
  'emails',
  'permissions',
  'parent_id',
  'folder_id',
  'roles',
  'fields',
  'url',
  'events',
  'storageKey',
  'token',
  'documentId',
  'file',
  'content',
  'template_id',
  'message',
];

export const TYPES = [
  'application/json',
  'application/json',
  'application/json',
  'text/xml',
  'text/plain',
  '',
  'multipart/form-data',
  'multipart/form-data; boundary=b',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
];

function drawBody(random: Random): string | Uint8Array<ArrayBuffer> {
  switch (nextInteger(random, 0, 7)) {
    case 0:
      return new Uint8Array([123, 34, 0xff, 0xc0, 34, 58, 49, 125]);
    case 1:
      return new Uint8Array(gzipSync('{"name":"n"}'));
    case 2:
      return pick(random, FORMS);
    case 3:
      return `--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n${'y'.repeat(nextInteger(random, 0, 99))}`;
    case 4:
    case 5:
      return pick(random, Object.values(BAD_TEXTS));
    default: {
      const fields = Array.from({ length: nextInteger(random, 1, 6) }, () => pick(random, FIELDS));
      return JSON.stringify(Object.fromEntries(fields.map((field) => [field, pick(random, ODD_VALUES)])));
    }
  }
}

const ODD_IDS = [
  '%ff',
  '%',
  '..%2f..',
  '%2e%2e',
  '__proto__',
  'constructor',
  '%00',
  'x'.repeat(5000),
  '%F0%9F%92%A9',
  ' ',
];

/** `ids` are ids of records that are there. */
export function drawBadRequest(random: Random, ids: readonly string[]): BadRequest {
  const id = () => (nextInteger(random, 0, 3) === 0 ? pick(random, ODD_IDS) : pick(random, ids));
  const [method, path] = drawRoute(random, id);
  const type = pick(random, TYPES);
  const headers = {
    ...(type && { 'content-type': type }),
    ...(nextInteger(random, 0, 20) === 0 && { 'content-encoding': pick(random, ['gzip', 'br', 'zstd']) }),
    ...(nextInteger(random, 0, 20) === 0 && { range: 'bytes=9-1', 'if-none-match': '"' }),
  };
  return method === 'GET' || method === 'HEAD'
    ? { method, path, headers }
    : { method, path, headers, body: drawBody(random) };
}

function drawRoute(random: Random, id: () => string): [string, string] {
  const draw = nextInteger(random, 0, 9);
  if (draw <= 5) {
    const { operation } = pick(random, operations);
    const [method = '', path = ''] = operation.route.split(' ');
    const query = pick(random, [
      '',
      '',
      '?limit=-1',
      '?limit=1e9&cursor=%ff',
      '?page=0',
      '?cursor=YXQ6OTk5OTk5OTk5OTk5',
      '?%',
    ]);
    return [method, `/api/v1${path.replace('{id}', id)}${query}`];
  }
  if (draw === 6)
    return [
      pick(random, ['GET', 'POST', 'HEAD', 'DELETE', 'PATCH']),
      `/api/v1/${pick(random, ['', '/', 'links//', 'x', '%', 'links/%2e%2e/rooms'])}`,
    ];
  if (draw === 7)
    return [
      pick(random, ['GET', 'POST', 'HEAD', 'PUT']),
      pick(random, [
        `/l/${id()}`,
        `/s/${id()}/${id()}`,
        `/p/${id()}`,
        `/v/${id()}`,
        `/v/${id()}/time`,
        `/v/${id()}/leave`,
        `/v/${id()}/pages/9.svg`,
        `/thumbnails/${id()}/1.svg`,
        '/',
        '/assets/../x',
        '//',
        '/%ff',
      ]),
    ];
  if (draw === 8)
    return [
      pick(random, ['POST', 'PUT', 'DELETE', 'GET']),
      `/_sandbox/${pick(random, ['profile', 'keys/rotate', 'keys/revoke', 'faults/x', 'clock/advance', 'visits', 'signatures', `deliveries/${id()}/redeliver`, `snapshots/${id()}/restore`, 'nothing', 'log?after=%ff'])}`,
    ];
  return [
    pick(random, ['GET', 'PUT', 'POST', 'HEAD']),
    `/storage/${pick(random, ['files', 'files?key=..%2fx', `uploads/${id()}`, 'uploads/x?X-Amz-Signature=', '', '%ff'])}`,
  ];
}
