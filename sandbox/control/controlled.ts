import type { EventQueue } from '../events/queue.ts';
import type { RequestLog } from '../http/request-log.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Service } from '../service.ts';

/** Everything that drives the sandbox from outside stands under this prefix. */
export const CONTROL_PATH = '/_sandbox';

/** What the control routes reach. */
export interface ControlContext {
  readonly sandbox: Sandbox;
  readonly service: Service;
  readonly log: RequestLog;
  readonly queue: EventQueue;
}
