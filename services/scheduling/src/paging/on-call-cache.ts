import type { DecisionFinding, TeamState } from '@tocsin/events';
import { PatternBudget, type ConditionSubject } from '@tocsin/rules';
import { onCallAnswer, type OnCallAnswer } from '../on-call/on-call-answer.ts';
import type { Mention } from '../configuration/mentions.ts';
import type { ScheduleNotifyType } from '../on-call/on-call.ts';
import type { Effects } from './effects.ts';
import { routedSubject, routingFindings, type RoutingResult, type RoutingView } from './routing.ts';
import type { EscalationState } from './escalation-state.ts';

/** The routing rules of all teams that one transition opens may cost as much as those of so many teams with the most expensive rules. */
const MAX_EXPENSIVE_TEAMS = 5;

/** The target to which a team routes the alert, and the findings about its rules. */
interface TeamAnswer {
  readonly routed: RoutingResult;
  readonly findings: readonly DecisionFinding[];
}

/** The users on call in a schedule, and the log entry that has the layers of that answer. */
export interface ScheduleAnswer {
  readonly answer: OnCallAnswer;
  /** The active escalation whose finding has the layers; undefined as long as none has them. */
  layersIn: string | undefined;
}

/** The answers of schedules and teams in one transition: each is computed once, however many routes lead there. */
export class OnCallCache {
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

  ofSchedule(id: string, notifyType: ScheduleNotifyType): ScheduleAnswer {
    const key = `${notifyType}:${id}`;
    const known = this.#schedules.get(key);
    if (known !== undefined) return known;
    this.#effects.hasBudget(this.#view.schedule(id)?.rotations.length ?? 0);
    const made = { answer: onCallAnswer(this.#view, id, this.#effects.at, notifyType), layersIn: undefined };
    this.#schedules.set(key, made);
    return made;
  }

  ofTeam(team: TeamState): TeamAnswer {
    const known = this.#teams.get(team.id);
    if (known !== undefined) return known;
    const { alert } = this.#state;
    const describe = () => (this.#subject ??= routedSubject(alert, this.#view));
    const exists = ({ id, type }: Mention): boolean => this.#view[type](id) !== undefined;
    const routed = this.#view.routing(team)(describe, new Date(alert.flowStartedAt), exists, this.#patterns);
    const made = { routed, findings: routingFindings(team, routed) };
    this.#teams.set(team.id, made);
    return made;
  }
}
