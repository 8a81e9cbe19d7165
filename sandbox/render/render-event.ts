import type { SandboxProfile } from '../profile/switches.ts';
import type { SandboxEventKind } from '../state/event-kinds.ts';
import { formatTime } from './shape-fields.ts';

export interface EmittedEvent {
  readonly id: string;
  readonly kind: SandboxEventKind;
  readonly at: number;
  readonly data: Record<string, unknown>;
}

/** §6: the payload shape is unspecified; these four are the usual ones. */
export function renderEvent(event: EmittedEvent, profile: SandboxProfile): Record<string, unknown> {
  const { id, kind, data } = event;
  const at = formatTime(event.at, profile);
  switch (profile.eventShape) {
    case 'standard':
      return { type: kind, timestamp: at, data };
    case 'object':
      return { id, object: 'event', type: kind, created: Math.floor(event.at / 1000), data: { object: data } };
    case 'payload':
      return { event_id: id, event_type: kind, occurred_at: at, payload: data };
    case 'flat':
      return { id, event: kind, created_at: at, ...data };
  }
}
