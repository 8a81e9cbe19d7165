import type { StateProvider } from '../../state/shared-state.ts';

/** Health and readiness probes. */
export interface Readiness {
  /** Responds to `/healthz` and `/readyz`; undefined for every other path. */
  respond(path: string): Promise<Response | undefined>;
  /** Makes `/readyz` fail, while requests are still served. */
  beginDrain(): void;
  isDraining(): boolean;
}

export function createReadiness(options: { state: StateProvider; replica: string }): Readiness {
  let draining = false;

  async function createReadyResponse(): Promise<Response> {
    const { backend, up, hasConnected, replicas, holdMs } = (await options.state()).getStatus();
    // Stays ready while Redis is down, because reads still work on every replica.
    const ready = hasConnected && !draining;
    return Response.json(
      {
        ready,
        replica: options.replica,
        ...(draining ? { draining } : {}),
        state: { backend, up, replicas, hold_s: Math.ceil(holdMs / 1000) },
        ...(up ? {} : { degraded: 'The shared state is unavailable: reads work, writes are refused.' }),
      },
      { status: ready ? 200 : 503, headers: { 'cache-control': 'no-store' } },
    );
  }

  return {
    async respond(path) {
      if (path === '/healthz') return Response.json({ alive: true }, { headers: { 'cache-control': 'no-store' } });
      return path === '/readyz' ? createReadyResponse() : undefined;
    },
    beginDrain() {
      draining = true;
    },
    isDraining: () => draining,
  };
}
