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

/** The effects that a notification policy may have. */
export type Effect = Exclude<keyof NotificationEffects, 'kind'>;

/** Plans each effect of a policy, in order of precedence; undefined if the policy does not have it. */
export const PLANNERS: {
  readonly [E in Effect]: (effects: NotificationEffects, context: PlanContext) => Plans[E] | undefined;
} = {
  suppress: suppressing,
  delay: delaying,
  deduplication: deduplicating,
  autoClose: autoClosing,
  autoRestart: autoRestarting,
};

/** The effects that an effect overrides: suppress > delay > deduplication (P6). A suppressed flow never restarts. */
export const BEATS: Partial<Record<Effect, readonly Effect[]>> = {
  suppress: ['delay', 'deduplication', 'autoRestart'],
  delay: ['deduplication'],
};

const EFFECTS = Object.keys(PLANNERS) as Effect[];

/** The effects that a policy has, in order of precedence. */
export function effectsOf(effects: NotificationEffects): readonly Effect[] {
  return EFFECTS.filter((effect) => effects[effect] !== undefined && effects[effect] !== false);
}
