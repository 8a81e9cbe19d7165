import type { RequestLog } from '../server/request-log.ts';
import type { Service } from '../state/service.ts';
import type { EventQueue } from '../webhooks/delivery-queue.ts';
import type { Sandbox } from './sandbox.ts';

/** Path prefix of the control routes. */
export const CONTROL_PATH = '/_sandbox';

export interface ControlContext {
  readonly sandbox: Sandbox;
  readonly service: Service;
  readonly log: RequestLog;
  readonly queue: EventQueue;
}
