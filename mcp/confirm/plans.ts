import type { Approval } from '../audit/audit.ts';
import type { StateProvider } from '../state/shared-state.ts';
import type { PlanProgress } from '../tool/tool.ts';
import { hashStep } from './approvals.ts';

/** Plans that a person approved as a whole. Each step runs at most once per approval, also over several calls. */
export interface Plans {
  /** Returns how the plan was approved, if it has steps left. */
  findApproval(key: string): Promise<Approval | undefined>;
  open(key: string, approved: { approvedBy: Approval; steps?: Readonly<Record<string, string>> }): Promise<void>;
  getProgress(key: string): PlanProgress;
}

const PLAN_TTL_MS = 60 * 60_000;
const MAX_ATTEMPTS = 20;

export function createPlans(options: { state: StateProvider; now: () => number }): Plans {
  const getStateKey = (key: string) => `plan ${key}`;
  const getDone = (entry: Readonly<Record<string, unknown>> | undefined) =>
    Array.isArray(entry?.['done']) ? entry['done'].map(String) : [];

  return {
    async findApproval(key) {
      const entry = await (await options.state()).get(getStateKey(key));
      return entry === undefined ? undefined : (entry['by'] as Approval);
    },
    async open(key, { approvedBy: by, steps = {} }) {
      await (await options.state()).put(getStateKey(key), { by, steps, done: [] }, options.now() + PLAN_TTL_MS);
    },
    getProgress: (key) => ({
      getDone: async () => getDone(await (await options.state()).get(getStateKey(key))),
      async begin(step, affected) {
        const state = await options.state();
        for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
          const from = await state.get(getStateKey(key));
          const done = getDone(from);
          if (!from || done.includes(step)) return 'done';
          if ((from['steps'] as Record<string, string> | undefined)?.[step] !== hashStep(affected)) return 'changed';
          const to = { ...from, done: [...done, step] };
          if (await state.compareAndSwap(getStateKey(key), { from, to, until: options.now() + PLAN_TTL_MS }))
            return 'run';
        }
        return 'done';
      },
      async close() {
        await (await options.state()).remove(getStateKey(key));
      },
    }),
  };
}
