/** A host for the gate alone: what it shows, and what its person answers. No server, no protocol. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { vi } from 'vitest';
import { createConfirmation, type ElicitationChannel } from '../../mcp/confirm/confirm.ts';
import type { ConfirmableCall, ConfirmationResult } from '../../mcp/confirm/confirmable-call.ts';
import { createMemoryState } from '../../mcp/state/memory-state.ts';
import type { JsonObject } from '../../src/records/fields.ts';
import { standIn } from './stand-in.ts';

export interface GateHost extends Partial<ElicitationChannel> {
  readonly forms?: boolean;
  readonly cards?: boolean;
  /** What its person answers to a form of the 2025 era. */
  readonly answer?: () => unknown;
  /** What it brings back with the call, in the modern era. */
  readonly back?: { readonly state?: string; readonly reply?: object };
  readonly signal?: AbortSignal;
}

export const YES = { action: 'accept', content: { confirm: true } };
export const NO = { action: 'decline' };
export const DECLINED = {
  done: false,
  declined: true,
  next: 'The user declined this or closed the form. Nothing was done. The decline holds for ten minutes: ask the user what they want instead, and do not try another way.',
};

/** A call as a host makes it. */
export function hostOf({ forms = false, cards = false, answer, back, signal, ...door }: GateHost = {}) {
  const asked = vi.fn(async (_form: object, _options: object) => answer?.());
  const mcp = standIn<ServerContext>({
    mcpReq: {
      signal: signal ?? new AbortController().signal,
      elicitInput: asked,
      requestState: () => back?.state,
      inputResponses: back?.reply === undefined ? undefined : { confirm: back.reply },
    },
  });
  const formDoor: ElicitationChannel = {
    era: 'legacy',
    supportsForms: () => forms,
    supportsCards: () => cards,
    ...door,
  };
  return { mcp, formDoor, asked };
}

/** Servers on one state, whose clock stands until it is set. */
export function createGates(startMs: number) {
  const clock = { now: startMs };
  const now = () => clock.now;
  const state = createMemoryState({ now, secret: Buffer.alloc(32, 7) });
  const server = (more: { tokensOnly?: boolean; formWaitMs?: number; pageWaitMs?: number } = {}) =>
    createConfirmation({ state: async () => state, now, ...more });
  const check = (host: GateHost, act: Partial<ConfirmableCall> = {}, gate = server()): Promise<ConfirmationResult> => {
    const { mcp, formDoor } = hostOf(host);
    return gate.request(actOf(act), mcp, formDoor);
  };
  const tokenOf = async (act: Partial<ConfirmableCall> = {}) => String(dataOf(await check({}, act))['confirm_token']);
  return { clock, server, check, tokenOf };
}

export function actOf(more: Partial<ConfirmableCall> = {}): ConfirmableCall {
  return {
    binding: { tool: 'delete_link', args: { id: 'l' }, account: 'mine' },
    idempotencyKey: 'deed',
    token: undefined,
    summary: 'Deletes the link.',
    preview: async () => ({ name: 'Deck' }),
    ...more,
  };
}

/** What a call answers instead of acting. */
export function dataOf(verdict: ConfirmationResult): JsonObject {
  if (verdict.approved || !('result' in verdict)) throw new Error(`no answer: ${JSON.stringify(verdict)}`);
  return verdict.result.data as JsonObject;
}
