/** Milliseconds between two looks of a member that waits for the others. */
const LOOK_EVERY_MS = 200;

/** Why the coordinator refuses a request of a member, by the names of the protocol. */
export type GroupRefusal = 'UNKNOWN_MEMBER_ID' | 'REBALANCE_IN_PROGRESS' | 'ILLEGAL_GENERATION';

export class GroupError extends Error {
  override readonly name = 'GroupError';
  readonly type: GroupRefusal;

  constructor(type: GroupRefusal) {
    super(`The coordinator of the group answers ${type}.`);
    this.type = type;
  }
}

/** By topic. */
export type AssignedPartitions = Record<string, number[]>;

/** A member of a generation of its group. */
export interface Membership {
  readonly memberId: string;
  readonly generation: number;
}

export interface JoinRequest {
  readonly groupId: string;
  /** Undefined for a new member. */
  readonly memberId: string | undefined;
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
}

export interface CommittedPosition {
  readonly offset: string;
  readonly metadata: string | null;
}

interface Member extends JoinRequest {
  /** When it sent its last request. */
  seenAtMs: number;
  /** While it waits for the others. */
  joining: PromiseWithResolvers<Membership & { readonly assignment: AssignedPartitions }> | undefined;
}

interface Group {
  generation: number;
  /** Since when members join again; undefined while each has its partitions. */
  rebalancingSinceMs: number | undefined;
  readonly members: Map<string, Member>;
  /** By `topic/partition`. */
  readonly positions: Map<string, CommittedPosition>;
}

export interface GroupsOptions {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Which of `count` members gets the first partition. */
  readonly choose: (count: number) => number;
  readonly partitionsOf: (topic: string) => number;
}

/**
 * The coordinator of the consumer groups of a cluster. Each partition belongs to one member of a generation. A member that sends
 * nothing for its session timeout is removed; while the others join again it works on, and only its requests to the coordinator
 * are refused afterwards.
 */
export class MemoryGroups {
  readonly #options: GroupsOptions;
  readonly #groups = new Map<string, Group>();
  #members = 0;

  constructor(options: GroupsOptions) {
    this.#options = options;
  }

  /** Resolves with the partitions of the member, once each member has joined or has been removed. */
  async join(request: JoinRequest): Promise<Membership & { readonly assignment: AssignedPartitions }> {
    const group = this.#group(request.groupId);
    const known = request.memberId === undefined ? undefined : group.members.get(request.memberId);
    if (request.memberId !== undefined && known === undefined) throw new GroupError('UNKNOWN_MEMBER_ID');
    const memberId = request.memberId ?? `member-${(this.#members += 1)}`;
    const joining = known?.joining ?? Promise.withResolvers();
    group.members.set(memberId, { ...request, memberId, seenAtMs: this.#options.now(), joining });
    group.rebalancingSinceMs ??= this.#options.now();
    let joined: Awaited<typeof joining.promise> | undefined;
    void joining.promise.then((membership) => (joined = membership));
    for (;;) {
      this.#completeJoin(group);
      await Promise.resolve();
      if (joined !== undefined) return joined;
      await Promise.race([joining.promise, this.#options.sleep(LOOK_EVERY_MS)]);
    }
  }

  /** @throws GroupError where the member has to join again. */
  heartbeat(groupId: string, { generation, memberId }: Membership): void {
    const group = this.#seen(groupId, memberId);
    if (group.rebalancingSinceMs !== undefined) throw new GroupError('REBALANCE_IN_PROGRESS');
    if (generation !== group.generation) throw new GroupError('ILLEGAL_GENERATION');
  }

  /** Stores positions by `topic/partition`, also while members join again. @throws GroupError for a member of an old generation. */
  commit(
    groupId: string,
    { generation, memberId }: Membership,
    positions: ReadonlyMap<string, CommittedPosition>,
  ): void {
    const group = this.#seen(groupId, memberId);
    if (generation !== group.generation) throw new GroupError('ILLEGAL_GENERATION');
    for (const [partition, position] of positions) group.positions.set(partition, position);
  }

  committed(groupId: string, topic: string, partition: number): CommittedPosition | undefined {
    return this.#group(groupId).positions.get(`${topic}/${partition}`);
  }

  leave(groupId: string, memberId: string): void {
    const group = this.#group(groupId);
    if (group.members.delete(memberId)) group.rebalancingSinceMs ??= this.#options.now();
  }

  /** Asks all members to join again. */
  rebalance(groupId: string): void {
    this.#group(groupId).rebalancingSinceMs ??= this.#options.now();
  }

  #group(groupId: string): Group {
    const known = this.#groups.get(groupId);
    if (known !== undefined) return known;
    const group: Group = { generation: 0, rebalancingSinceMs: undefined, members: new Map(), positions: new Map() };
    this.#groups.set(groupId, group);
    return group;
  }

  /** @throws GroupError where there is no such member. */
  #seen(groupId: string, memberId: string): Group {
    const group = this.#group(groupId);
    this.#removeSilent(group);
    const member = group.members.get(memberId);
    if (member === undefined) throw new GroupError('UNKNOWN_MEMBER_ID');
    member.seenAtMs = this.#options.now();
    return group;
  }

  #removeSilent(group: Group): void {
    const now = this.#options.now();
    for (const [id, { joining, seenAtMs, sessionTimeoutMs }] of group.members) {
      if (joining !== undefined || now - seenAtMs <= sessionTimeoutMs) continue;
      group.members.delete(id);
      group.rebalancingSinceMs ??= now;
    }
  }

  /** Ends the rebalance where each member has joined. Members that have not joined after two session timeouts are removed. */
  #completeJoin(group: Group): void {
    const now = this.#options.now();
    this.#removeSilent(group);
    const absent = [...group.members].filter(([, { joining }]) => joining === undefined);
    const isLate = absent.every(
      ([, { sessionTimeoutMs }]) => now - (group.rebalancingSinceMs ?? now) > 2 * sessionTimeoutMs,
    );
    if (!isLate) return;
    for (const [id] of absent) group.members.delete(id);
    group.generation += 1;
    group.rebalancingSinceMs = undefined;
    const assignments = this.#assign([...group.members]);
    for (const [memberId, member] of group.members) {
      const assignment = assignments.get(memberId) ?? {};
      member.joining?.resolve({ memberId, generation: group.generation, assignment });
      member.joining = undefined;
      member.seenAtMs = now;
    }
  }

  #assign(members: readonly (readonly [string, Member])[]): ReadonlyMap<string, AssignedPartitions> {
    const first = members.length > 1 ? this.#options.choose(members.length) : 0;
    const assignments = new Map<string, AssignedPartitions>(members.map(([id]) => [id, {}]));
    for (const topic of new Set(members.flatMap(([, { topics }]) => topics))) {
      const readers = members.filter(([, { topics }]) => topics.includes(topic)).map(([id]) => id);
      for (let partition = 0; partition < this.#options.partitionsOf(topic); partition += 1) {
        const assignment = assignments.get(readers[(first + partition) % readers.length] ?? '');
        if (assignment !== undefined) (assignment[topic] ??= []).push(partition);
      }
    }
    return assignments;
  }
}
