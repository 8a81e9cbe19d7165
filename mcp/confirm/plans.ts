import type { StateProvider } from '../state/shared-state.ts';
import type { Approval } from '../tool/approval.ts';
import type { PlanProgress, StepTurn } from '../tool/tool.ts';
import { hashPlanStep } from './approvals.ts';
import type { ConfirmationResult } from './confirmable-call.ts';

const PLAN_TTL_MS = 60 * 60_000;
const MAX_ATTEMPTS = 20;

type Entry = Readonly<Record<string, unknown>>;

/** Plans that a person approved as a whole. Each step runs at most once per approval, also over several calls. */
export function createPlans(options: { state: StateProvider; now: () => number }) {
  const getStateKey = (key: string) => `plan ${key}`;
  const getOutcomes = (entry: Entry | undefined) => ({ ...(entry?.['outcomes'] as Readonly<Record<string, string>>) });

  /** Changes the entry of a plan atomically, unless `change` returns undefined. */
  async function update(key: string, change: (entry: Entry) => Entry | undefined): Promise<boolean> {
    const state = await options.state();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const from = await state.get(getStateKey(key));
      const to = from && change(from);
      if (!from || !to) return false;
      if (await state.compareAndSwap(getStateKey(key), { from, to, until: options.now() + PLAN_TTL_MS })) return true;
    }
    return false;
  }

  return {
    /** Returns how the plan was approved, if it has steps left. */
    async findApproval(key: string): Promise<Approval | undefined> {
      const entry = await (await options.state()).get(getStateKey(key));
      return entry === undefined || entry['isClosed'] ? undefined : (entry['by'] as Approval);
    },
    async open(
      key: string,
      { approvedBy: by, steps = {} }: Extract<ConfirmationResult, { approved: true }>,
    ): Promise<void> {
      await (await options.state()).put(getStateKey(key), { by, steps, outcomes: {} }, options.now() + PLAN_TTL_MS);
    },
    getProgress: (key: string): PlanProgress => ({
      async getOutcomes() {
        return new Map(Object.entries(getOutcomes(await (await options.state()).get(getStateKey(key)))));
      },
      async begin(step, affected) {
        let turn = 'closed' as StepTurn;
        const begins = await update(key, (entry) => {
          const outcomes = getOutcomes(entry);
          turn = Object.hasOwn(outcomes, step) ? 'done' : 'closed';
          if (turn === 'done' || entry['isClosed']) return undefined;
          const steps = entry['steps'] as Record<string, string> | undefined;
          turn = steps?.[step] === hashPlanStep(affected) ? 'run' : 'changed';
          return { ...entry, outcomes: { ...outcomes, [step]: turn === 'run' ? 'unknown_outcome' : turn } };
        });
        return begins || turn === 'done' ? turn : 'closed';
      },
      async end(step, outcome) {
        await update(key, (entry) => {
          const { [step]: _, ...others } = getOutcomes(entry);
          return { ...entry, outcomes: outcome === undefined ? others : { ...others, [step]: outcome } };
        });
      },
      async close() {
        await update(key, (entry) => ({ ...entry, isClosed: true }));
      },
    }),
  };
}
