import type { DecisionVerdict, TeamState } from '@tocsin/contracts';
import { PatternBudget, type ConditionSubject } from '@tocsin/rules';
import { onCallAnswer, type OnCallAnswer } from '../on-call-answer.ts';
import type { Mention } from '../mentions.ts';
import type { ScheduleNotifyType } from '../on-call.ts';
import type { RunEffects } from './effects.ts';
import { routedSubject, routingVerdicts, type Routed, type RoutingView } from './routing.ts';
import type { Run } from './run.ts';

/** The routing rules of all teams that one settlement opens may cost as much as those of so many teams at their dearest. */
const DEAREST_TEAMS = 5;

/** How a team routes the alert, and what its rules say about that. */
interface TeamAnswer {
  readonly routed: Routed;
  readonly verdicts: readonly DecisionVerdict[];
}

/** Who is on call in a schedule, and what the layers of that answer were told with first. */
export interface ScheduleAnswer {
  readonly answer: OnCallAnswer;
  /** The branch whose verdict has the layers; undefined as long as none has them. */
  layersIn: string | undefined;
}

/** What schedules and teams answer in one settlement: each is asked once, however many ways lead there. */
export class Answers {
  readonly #run: Run;
  readonly #view: RoutingView;
  readonly #effects: RunEffects;
  readonly #patterns = PatternBudget.share(DEAREST_TEAMS);
  readonly #schedules = new Map<string, ScheduleAnswer>();
  readonly #teams = new Map<string, TeamAnswer>();
  #subject: ConditionSubject | undefined;

  constructor(run: Run, view: RoutingView, effects: RunEffects) {
    this.#run = run;
    this.#view = view;
    this.#effects = effects;
  }

  ofSchedule(id: string, notifyType: ScheduleNotifyType): ScheduleAnswer {
    const key = `${notifyType}:${id}`;
    const known = this.#schedules.get(key);
    if (known !== undefined) return known;
    this.#effects.mayTake(this.#view.schedule(id)?.rotations.length ?? 0);
    const made = { answer: onCallAnswer(this.#view, id, this.#effects.at, notifyType), layersIn: undefined };
    this.#schedules.set(key, made);
    return made;
  }

  ofTeam(team: TeamState): TeamAnswer {
    const known = this.#teams.get(team.id);
    if (known !== undefined) return known;
    const { alert } = this.#run;
    const describe = () => (this.#subject ??= routedSubject(alert, this.#view));
    const exists = ({ id, type }: Mention): boolean => this.#view[type](id) !== undefined;
    const routed = this.#view.routing(team)(describe, new Date(alert.flowStartedAt), exists, this.#patterns);
    const made = { routed, verdicts: routingVerdicts(team, routed) };
    this.#teams.set(team.id, made);
    return made;
  }
}
