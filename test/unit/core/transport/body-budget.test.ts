import { afterEach, expect, test } from 'vitest';
import { reserveBody, setBodyBudget } from '../../../../src/transport/body-budget.ts';
import { readBodyBytes } from '../../../../src/transport/transport.ts';

afterEach(() => setBodyBudget(Number.POSITIVE_INFINITY));

test('when the budget is used up, a large body waits and a small one does not', async () => {
  setBodyBudget(10);
  const first = await reserveBody(8);
  const order: string[] = [];
  async function* bodyOf(bytes: number) {
    for (let sent = 0; sent < bytes; sent += 256 * 1024) yield new Uint8Array(256 * 1024);
  }
  const large = readBodyBytes(bodyOf(2 * 1024 * 1024), 4 * 1024 * 1024).then(() => order.push('large'));
  await readBodyBytes(bodyOf(1024 * 1024), 4 * 1024 * 1024).then(() => order.push('small'));
  await new Promise((done) => setTimeout(done, 20));
  expect(order).toEqual(['small']);
  first();
  await large;
  expect(order).toEqual(['small', 'large']);
});

test('a body that fails releases its share of the budget', async () => {
  setBodyBudget(1);
  async function* broken() {
    yield new Uint8Array(2 * 1024 * 1024);
    throw new Error('reset');
  }
  for (let n = 0; n < 3; n++) await expect(readBodyBytes(broken(), 4 * 1024 * 1024)).rejects.toThrow('reset');
  (await reserveBody(100))();
});
