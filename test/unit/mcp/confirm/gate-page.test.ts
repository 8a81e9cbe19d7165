/** Where the host shows no form, a page of this server asks: it alone takes the yes, and one call carries it out. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ConfirmableCall } from '../../../../mcp/confirm/confirmable-call.ts';
import type {
  ConfirmationDetails,
  ConfirmationPage,
  PageConfirmationRequest,
  PageQuestion,
} from '../../../../mcp/confirm/confirmation-page.ts';
import type { ElicitationOutcome } from '../../../../mcp/confirm/outcome.ts';
import { texts } from '../../../mcp/texts.ts';
import { actOf, createGates, DECLINED, dataOf, type GateHost, NO, YES } from '../../../support/gate-host.ts';

let gates = createGates(0);
let abort = new AbortController();
beforeEach(() => {
  gates = createGates(Date.UTC(2026, 10, 21, 12));
  abort = new AbortController();
});

interface Page {
  /** What the person said on it. */
  readonly word?: ElicitationOutcome;
  readonly opens?: boolean;
  /** Whether another call asked before. */
  readonly known?: boolean;
  readonly spent?: boolean;
  readonly secondsLeft?: number;
  /** What happens while the person thinks. */
  readonly meanwhile?: () => unknown;
}

/** A page of which the test knows what its person says. */
function pageOf({ word = 'silent', opens = false, known = false, spent = false, ...more }: Page) {
  const { secondsLeft = 600, meanwhile } = more;
  const acts: PageConfirmationRequest[] = [];
  const waits: number[] = [];
  const told: string[] = [];
  const spend = vi.fn(async () => !spent);
  const page: ConfirmationPage = {
    supportsUrlElicitation: () => opens,
    async openQuestion(act): Promise<PageQuestion> {
      acts.push(act);
      const asked: ConfirmationDetails | undefined = known ? undefined : await act.getDetails();
      return {
        url: 'https://mcp.test/confirm/1',
        newDetails: asked,
        secondsLeft,
        confirmationNonce: await act.getConfirmationNonce(),
        async waitForOutcome({ waitMs }) {
          waits.push(waitMs);
          await meanwhile?.();
          return word;
        },
        async recordOutcome(given) {
          told.push(given);
          return word === 'yes' ? 'yes' : given;
        },
        consume: spend,
      };
    },
  };
  return { page, acts, waits, told, spend };
}
const check = (page: ConfirmationPage, host: GateHost = {}, act: Partial<ConfirmableCall> = {}) =>
  gates.check({ confirmationPage: page, signal: abort.signal, ...host }, act, gates.server({ pageWaitMs: 7000 }));

describe('a question that is new', () => {
  test('gives its address and all that the page shows, and nothing that could be spent', async () => {
    const { page, acts, waits } = pageOf({});
    expect(await check(page)).toEqual({
      approved: false,
      result: {
        data: {
          done: false,
          preview: 'Deletes the link.\n\nRequest:\n- id: "l"',
          about: { name: 'Deck' },
          confirm_url: 'https://mcp.test/confirm/1',
          next: texts.nothingBeenDoneYet,
        },
        unredactedFields: ['confirm_url'],
        trustedFields: ['preview', 'confirm_url', 'next'],
      },
    });
    expect(waits).toEqual([0]);
    expect(acts).toMatchObject([{ idempotencyKey: 'deed', binding: actOf().binding }]);
    expect(await acts[0]?.getDetails()).toEqual({
      summary: 'Deletes the link.',
      args: { id: 'l' },
      about: { name: 'Deck' },
    });
  });

  test.each([
    [20, 'expires in 1 minute.'],
    [95, 'expires in 2 minutes.'],
  ])('with %i s left says "%s"', async (secondsLeft, words) => {
    const look = async () => undefined;
    const data = dataOf(await check(pageOf({ secondsLeft }).page, {}, { preview: look }));
    expect(data['next']).toContain(words);
    expect(data).not.toHaveProperty('about');
  });

  test('is opened by the host where it opens addresses', async () => {
    const verdict = await check(pageOf({ opens: true }).page);
    expect(verdict).toMatchObject({
      approved: false,
      inputRequired: {
        inputRequests: {
          confirm: {
            params: { mode: 'url', url: 'https://mcp.test/confirm/1', message: texts.assistantNeedsYourApproval },
          },
        },
      },
    });
  });

  test('of more than anybody reads is refused', async () => {
    const args = (length: number) => ({ binding: { ...actOf().binding, args: { id: 'x'.repeat(length) } } });
    const { page } = pageOf({});
    expect(dataOf(await check(page, {}, args(59_991)))).toHaveProperty('confirm_url');
    await expect(check(page, {}, args(59_992))).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: texts.argumentsMoreThan60000,
    });
    const fields = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`field_${at}`, 'x']));
    const many = { binding: { ...actOf().binding, args: { fields } } };
    await expect(check(page, {}, many)).rejects.toThrow(texts.tooManyUserReview);
  });
});

test('a call that was made again waits for the person, and says that they have not answered', async () => {
  const { page, waits } = pageOf({ known: true, opens: true });
  const back = { reply: { action: 'accept', content: {} } };
  const data = dataOf(await check(page, { back }));
  expect(data).toMatchObject({ done: false, no_response: true, confirm_url: 'https://mcp.test/confirm/1' });
  expect(data).not.toHaveProperty('about');
  expect(waits).toEqual([7000]);
});

describe('a yes on the page', () => {
  test('is carried out by one call', async () => {
    const { page, spend } = pageOf({ word: 'yes', known: true });
    expect(await check(page)).toEqual({ approved: true, channel: 'page' });
    expect(spend).toHaveBeenCalledOnce();
  });

  test('to a question that was asked after another was carried out is good for a second act', async () => {
    for (const _ of ['first', 'second'])
      expect(await check(pageOf({ word: 'yes' }).page)).toEqual({ approved: true, channel: 'page' });
  });

  test('that another call took does nothing', async () => {
    expect(await check(pageOf({ word: 'yes', spent: true }).page)).toEqual({
      approved: false,
      result: {
        data: { done: false, duplicate_request: true, next: texts.usersApprovalAlreadyUsed },
        trustedFields: ['next'],
      },
    });
  });

  test('is not taken back by a window that is closed after it', async () => {
    const { page, told } = pageOf({ word: 'yes', known: true });
    expect(await check(page, { back: { reply: { action: 'cancel' } } })).toEqual({ approved: true, channel: 'page' });
    expect(told).toEqual(['no']);
  });

  test('does nothing where the same was refused meanwhile', async () => {
    const meanwhile = () => gates.check({ forms: true, answer: () => NO });
    const { page, spend } = pageOf({ word: 'yes', meanwhile });
    expect(dataOf(await check(page))).toEqual(DECLINED);
    expect(spend).not.toHaveBeenCalled();
  });

  test('and one to a form about the same are good for one act', async () => {
    const meanwhile = () => gates.check({ forms: true, answer: () => YES });
    await expect(check(pageOf({ word: 'yes', meanwhile }).page)).rejects.toMatchObject({
      details: { fault: 'overtaken' },
      message: expect.stringMatching(/^The page’s answer is no longer needed/),
    });
  });

  test('stays for the next call where this one is cancelled', async () => {
    const { page, spend } = pageOf({ word: 'yes', meanwhile: () => abort.abort(new Error('cancelled')) });
    await expect(check(page)).rejects.toThrow('cancelled');
    expect(spend).not.toHaveBeenCalled();
  });
});

describe('a no', () => {
  test('on the page stands everywhere', async () => {
    expect(dataOf(await check(pageOf({ word: 'no' }).page))).toEqual(DECLINED);
    expect(dataOf(await gates.check({}))).toEqual(DECLINED);
  });

  test.each(['decline', 'cancel'])('by %s, in the host’s own window, is told to the page', async (action) => {
    const { page, told, waits } = pageOf({ known: true });
    expect(dataOf(await check(page, { back: { reply: { action } } }))).toEqual(DECLINED);
    expect({ told, waits }).toEqual({ told: ['no'], waits: [] });
  });

  test('in the host’s window weighs more than a yes on the page', async () => {
    const { page, spend } = pageOf({ word: 'yes', known: true });
    expect(dataOf(await check(page, { back: { reply: NO } }))).toEqual(DECLINED);
    expect(spend).not.toHaveBeenCalled();
  });
});

test('a host that shows forms is asked by its form, and by the page where it is started with tokens', async () => {
  const { page } = pageOf({});
  const form = { forms: true, answer: () => YES, confirmationPage: page };
  expect(await gates.check(form)).toEqual({ approved: true, channel: 'form' });
  expect(dataOf(await gates.check(form, {}, gates.server({ tokensOnly: true })))).toHaveProperty('confirm_url');
});
