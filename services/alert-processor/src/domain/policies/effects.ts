import { autoClosing } from './auto-close.ts';
import { autoRestarting } from './auto-restart.ts';
import { deduplicating } from './deduplication.ts';
import { delaying } from './delay.ts';
import type { FlowPlan, HoldPlan, PlanContext } from './judgement.ts';
import type { NotificationEffects } from './policy.ts';
import { suppressing } from './suppress.ts';

/** What each effect of a notification policy plans. */
export interface Plans {
  readonly suppress: string;
  readonly delay: HoldPlan;
  readonly deduplication: HoldPlan;
  readonly autoClose: NonNullable<FlowPlan['autoClose']>;
  readonly autoRestart: NonNullable<FlowPlan['autoRestart']>;
}

/** What a notification policy may have. */
export type Effect = Exclude<keyof NotificationEffects, 'kind'>;

/** What a policy plans by each effect, those that go before others first; undefined where it does not have it. */
export const PLANNERS: {
  readonly [E in Effect]: (effects: NotificationEffects, context: PlanContext) => Plans[E] | undefined;
} = {
  suppress: suppressing,
  delay: delaying,
  deduplication: deduplicating,
  autoClose: autoClosing,
  autoRestart: autoRestarting,
};

/** Which effects one leaves without any: suppress goes before delay, which goes before deduplication (P6), and what never starts is not started again. */
export const BEATS: Partial<Record<Effect, readonly Effect[]>> = {
  suppress: ['delay', 'deduplication', 'autoRestart'],
  delay: ['deduplication'],
};

const EFFECTS = Object.keys(PLANNERS) as Effect[];

/** The effects that a policy has, those that go before others first. */
export function effectsOf(effects: NotificationEffects): readonly Effect[] {
  return EFFECTS.filter((effect) => effects[effect] !== undefined && effects[effect] !== false);
}
