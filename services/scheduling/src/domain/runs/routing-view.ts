import type { EscalationState, NotifyType, TeamState, UserState } from '@tocsin/contracts';

/** Who is on call in a schedule at one instant, and why: the text and the facts go to the alert's log. */
export interface OnCallAnswer {
  readonly scheduleName: string;
  readonly userIds: readonly string[];
  /** Teams and escalations that take part in a rotation: they are opened in turn (S4). */
  readonly opened: readonly { readonly type: 'team' | 'escalation'; readonly id: string }[];
  readonly text: string;
  readonly facts: Record<string, unknown>;
}

/** Which users of a rotation a rule means: those of the present turn, of the one after it, or of the one before (S9). */
export type Turn = Extract<NotifyType, 'default' | 'next' | 'previous'>;

/** The configuration that routing reads, as it stands while one settlement runs. */
export interface RoutingView {
  user(id: string): UserState | undefined;
  team(id: string): TeamState | undefined;
  escalation(id: string): EscalationState | undefined;
  /** Undefined when there is no such schedule. */
  onCall(scheduleId: string, at: Date, turn: Turn): OnCallAnswer | undefined;
  /** Picks one of several with equal chances. */
  pick<T>(items: readonly T[]): T | undefined;
}
