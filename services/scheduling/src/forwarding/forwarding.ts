import type { Version } from '@tocsin/events';
import type { Exists } from '../configuration/mentions.ts';
import { clip, covers, firstEndingAfter, type Span, stack } from '../on-call/span.ts';

/** Forwards from one user to another for a time (part 2, 2.10; S13). */
export interface ForwardingRule {
  readonly id: string;
  /** Unique where it is set. */
  readonly alias: string | undefined;
  readonly fromUserId: string;
  /** Never `fromUserId`. */
  readonly toUserId: string;
  /** Inclusive. */
  readonly startAt: Date;
  /** Exclusive, after `startAt`. */
  readonly endAt: Date;
  /** Later than that of every rule that was there before: the order of creation decides (S13). */
  readonly createdAt: Date;
  readonly version: Version;
}

/** Most rules that forward from one user (E14). */
export const MAX_RULES_OF_USER = 1_000;

/** The user on call after forwarding. */
export interface ForwardingResult {
  readonly userId: string;
  /** The rules that led there, in the order in which they were followed; empty where no rule applies. */
  readonly chain: readonly ForwardingRule[];
}

/** A part of a range in which a rule forwards from a user. */
interface ForwardedSpan extends Span {
  readonly toUserId: string;
}

/** By user, the spans of one range in which their rules forward. */
type SpansByUser = Map<string, readonly ForwardedSpan[]>;

/** The input of forwarding. */
export interface ForwardingView {
  readonly forwardings: Forwardings;
  readonly exists: Exists;
}

/** The forwarding rules of all users, indexed for look-ups. A rule to a deleted user is skipped (S4, S13). */
export class Forwardings {
  /** By the user from whom they forward; the rule created last comes first. */
  readonly #rules = new Map<string, ForwardingRule[]>();

  /** `rules` in the order of their creation. */
  constructor(rules: readonly ForwardingRule[] = []) {
    for (const rule of rules.toReversed()) {
      const others = this.#rules.get(rule.fromUserId);
      if (others === undefined) this.#rules.set(rule.fromUserId, [rule]);
      else others.push(rule);
    }
  }

  /**
   * The user to whom `userId` is forwarded at `instant`: chains are followed, and end before a user who is already in the chain. Of
   * overlapping rules the one that was created last wins.
   */
  at(userId: string, instant: number, exists: Exists): ForwardingResult {
    return follow(userId, (holder) =>
      this.#rules.get(holder)?.find((rule) => covers(spanOf(rule), instant) && hasTarget(rule, exists)),
    );
  }

  /** As {@link at}, for every instant of `range`: in order and without gaps. Neighbours may have the same user. */
  during(userId: string, range: Span, exists: Exists): readonly (Span & ForwardingResult)[] {
    if (!this.#rules.has(userId)) return [{ from: range.from, until: range.until, userId, chain: [] }];
    const inForce = new Map<string, readonly RuleSpan[]>();
    const ruleAt = (holder: string, instant: number): ForwardingRule | undefined => {
      const rules = inForce.get(holder) ?? this.#inForce(holder, range, exists);
      inForce.set(holder, rules);
      const found = rules[firstEndingAfter(rules, instant)];
      return found !== undefined && covers(found, instant) ? found.rule : undefined;
    };
    const changes = [...this.#changes([userId], range)].sort((a, b) => a - b);
    return changes.map((from, index) => ({
      ...follow(userId, (holder) => ruleAt(holder, from)),
      from,
      until: changes[index + 1] ?? range.until,
    }));
  }

  /**
   * At how many instants of `range` forwarding may change for any of `userIds`. `known` caches the changes of one range for further
   * calls.
   */
  maxChanges(userIds: Iterable<string>, range: Span, known: SpansByUser = new Map()): number {
    return this.#changes(userIds, range, known).size - 1;
  }

  /** `userId`, and all users who are forwarded to this user at some time, directly or through others. */
  leadingTo(userId: string): ReadonlySet<string> {
    const leading = new Set([userId]);
    for (const holder of leading) {
      for (const [from, rules] of this.#rules) if (rules.some((rule) => rule.toUserId === holder)) leading.add(from);
    }
    return leading;
  }

  /** The beginning of `range` and every instant in it at which a rule that may matter begins or ends. */
  #changes(userIds: Iterable<string>, range: Span, known: SpansByUser = new Map()): ReadonlySet<number> {
    const instants = new Set([range.from]);
    const reached = new Set(userIds);
    for (const user of reached) {
      const spans = known.get(user) ?? this.#spansOf(user, range);
      known.set(user, spans);
      for (const { from, until, toUserId } of spans) {
        reached.add(toUserId);
        instants.add(from);
        if (until < range.until) instants.add(until);
      }
    }
    return instants;
  }

  #spansOf(userId: string, range: Span): readonly ForwardedSpan[] {
    return (this.#rules.get(userId) ?? []).flatMap((rule) => {
      const part = clip(spanOf(rule), range);
      return part === undefined ? [] : [{ ...part, toUserId: rule.toUserId }];
    });
  }

  /** The parts of `range` in which a rule of `userId` is in force: in order, without overlap. */
  #inForce(userId: string, range: Span, exists: Exists): readonly RuleSpan[] {
    return stack(
      (this.#rules.get(userId) ?? []).flatMap((rule) => {
        const part = clip({ ...spanOf(rule), rule }, range);
        return part !== undefined && hasTarget(rule, exists) ? [part] : [];
      }),
    );
  }
}

const hasTarget = ({ toUserId }: ForwardingRule, exists: Exists): boolean => exists({ type: 'user', id: toUserId });

interface RuleSpan extends Span {
  readonly rule: ForwardingRule;
}

/** The user to whom `userId` is forwarded, where `ruleOf` gives the rule of a user. */
function follow(userId: string, ruleOf: (holder: string) => ForwardingRule | undefined): ForwardingResult {
  const chain: ForwardingRule[] = [];
  const visited = new Set([userId]);
  let holder = userId;
  for (;;) {
    const rule = ruleOf(holder);
    if (rule === undefined || visited.has(rule.toUserId)) return { userId: holder, chain };
    chain.push(rule);
    holder = rule.toUserId;
    visited.add(holder);
  }
}

/** Forwards the spans of users in one range. Caches the answer for each user. */
export class RangeForwardings {
  readonly #range: Span;
  readonly #forwardings: Forwardings;
  readonly #exists: Exists;
  readonly #spans = new Map<string, readonly (Span & ForwardingResult)[]>();

  constructor(range: Span, { forwardings, exists }: ForwardingView) {
    this.#range = range;
    this.#forwardings = forwardings;
    this.#exists = exists;
  }

  /** As `Forwardings.during`, for a `part` of the range. */
  during(userId: string, part: Span): readonly (Span & ForwardingResult)[] {
    const spans = this.#spansOf(userId);
    const found: (Span & ForwardingResult)[] = [];
    for (let index = firstEndingAfter(spans, part.from); ; index += 1) {
      const span = spans[index];
      const inPart = span && clip(span, part);
      if (inPart === undefined) return found;
      found.push(inPart);
    }
  }

  #spansOf(userId: string): readonly (Span & ForwardingResult)[] {
    const spans = this.#spans.get(userId) ?? this.#forwardings.during(userId, this.#range, this.#exists);
    this.#spans.set(userId, spans);
    return spans;
  }
}

const spanOf = ({ startAt, endAt }: ForwardingRule): Span => ({ from: startAt.getTime(), until: endAt.getTime() });
