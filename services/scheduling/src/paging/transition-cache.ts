import type { DecisionFinding, TeamState } from '@tocsin/events';
import { PatternBudget, type ConditionSubject } from '@tocsin/rules';
import { onCallAnswer, type OnCallAnswer } from '../on-call/on-call-answer.ts';
import type { Mention } from '../configuration/mentions.ts';
import type { ScheduleNotifyType } from '../on-call/on-call.ts';
import type { Effects } from './effects.ts';
import { routedSubject, routingFindings, type RoutingResult, type RoutingView } from './routing.ts';
import type { EscalationState } from './escalation-state.ts';

/** All teams that one transition opens share the budget of so many teams with the most expensive patterns. */
const MAX_EXPENSIVE_TEAMS = 5;

/** The routing rule of a team that matches the alert, and the findings about its rules. */
interface TeamAnswer {
  readonly routing: RoutingResult;
  readonly findings: readonly DecisionFinding[];
}

/** The users on call in a schedule. */
export interface ScheduleAnswer {
  readonly answer: OnCallAnswer;
  /** The route whose finding lists the layers of the schedule, so that later findings need not; undefined before the first. */
  layersIn: string | undefined;
}

/**
 * Keeps, for one transition, who is on call in each schedule and where each team routes the alert: both are computed once, however many
 * routes lead there.
 */
export class TransitionCache {
  readonly #state: EscalationState;
  readonly #view: RoutingView;
  readonly #effects: Effects;
  readonly #patterns = PatternBudget.share(MAX_EXPENSIVE_TEAMS);
  readonly #schedules = new Map<string, ScheduleAnswer>();
  readonly #teams = new Map<string, TeamAnswer>();
  #subject: ConditionSubject | undefined;

  constructor(state: EscalationState, view: RoutingView, effects: Effects) {
    this.#state = state;
    this.#view = view;
    this.#effects = effects;
  }

  scheduleAnswer(id: string, notifyType: ScheduleNotifyType): ScheduleAnswer {
    const key = `${notifyType}:${id}`;
    const known = this.#schedules.get(key);
    if (known !== undefined) return known;
    this.#effects.takeBudget(this.#view.schedule(id)?.rotations.length ?? 0);
    const computed = { answer: onCallAnswer(this.#view, id, this.#effects.at, notifyType), layersIn: undefined };
    this.#schedules.set(key, computed);
    return computed;
  }

  teamAnswer(team: TeamState): TeamAnswer {
    const known = this.#teams.get(team.id);
    if (known !== undefined) return known;
    const { alert } = this.#state;
    const describe = () => (this.#subject ??= routedSubject(alert, this.#view));
    const exists = ({ id, type }: Mention): boolean => this.#view[type](id) !== undefined;
    const routing = this.#view.routing(team)(describe, new Date(alert.flowStartedAt), exists, this.#patterns);
    const computed = { routing, findings: routingFindings(team, routing) };
    this.#teams.set(team.id, computed);
    return computed;
  }
}
