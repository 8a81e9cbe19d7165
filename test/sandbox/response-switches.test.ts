/** The switches for responses to writes and for the format of errors. */

import { expect, test } from 'vitest';
import { createSandbox, SWITCHES } from '../../sandbox/index.ts';
import { closeAfterAll } from '../support/close-after.ts';

const sandbox = await closeAfterAll(createSandbox());

function ask(method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${sandbox.key()}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return fetch(`${sandbox.url}${path}`, init);
}

test.each([
  ['text', 200, /^OK$/],
  ['queued', 202, /^queued$/],
  ['empty', 200, /^$/],
  ['cut', 201, /^\{"id":"room_.*[^}]$/],
  ['scalar', 200, /^"done"$/],
  ['list', 200, /^\[\]$/],
] as const)(
  'writeResponse=%s sets the response to a new room, and the room is stored',
  async (writeResponse, status, text) => {
    sandbox.reset();
    sandbox.use({ writeResponse });
    const rooms = sandbox.snapshot().state.rooms.size;
    const answer = await ask('POST', '/rooms', { name: 'R' });
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)]);
    expect(sandbox.snapshot().state.rooms.size).toBe(rooms + 1);
  },
);

test.each(SWITCHES.writeResponse.settings)(
  'writeResponse=%s keeps the promises of the document',
  async (writeResponse) => {
    sandbox.reset();
    sandbox.use({ writeResponse });
    const [document] = [...sandbox.snapshot().state.documents.keys()];
    const link = await (await ask('POST', '/links', { document_id: document })).json();
    expect(link).toHaveProperty('url');
    const hook = { url: 'http://127.0.0.1:9/h', events: ['link.viewed'] };
    expect(await (await ask('POST', '/webhooks', hook)).json()).toHaveProperty('secret');
    expect(await (await ask('GET', '/rooms')).json()).toHaveProperty('data');
  },
);

test.each(SWITCHES.errors.settings)('errors=%s names the field and the reason', async (errors) => {
  sandbox.reset();
  sandbox.use({ errors });
  const answer = await ask('POST', '/contacts', { email: 'no address' });
  expect(answer.status).toBe(422);
  const text = await answer.text();
  expect(text).toContain('email');
  const missing = await ask('GET', '/templates/none');
  expect(missing.status).toBe(404);
  expect((await missing.text()).length).toBeGreaterThan(10);
});
