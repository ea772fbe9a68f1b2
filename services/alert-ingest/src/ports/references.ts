import type { ResponderReference } from '@tocsin/contracts';
import type { NamedReference } from '../domain/recipient.ts';

export type ReferenceType = ResponderReference['type'];

/** A thing of another service, and the team that a schedule or an escalation belongs to. */
interface FoundReference extends NamedReference {
  readonly ownerTeamId?: string | undefined;
}

/** Things of other services that an integration names. */
export interface References {
  /**
   * The thing with this id, or else with this name (user name for users), also when it was created a moment ago.
   *
   * @throws UnavailableError when its owner cannot be asked.
   */
  find(
    type: ReferenceType,
    wanted: { id?: string | undefined; name?: string | undefined },
  ): Promise<FoundReference | undefined>;
  /** Its present name, as far as it is known here without asking. */
  nameOf(type: ReferenceType, id: string): string | undefined;
  /** The id of what bears this name now, as far as it is known here without asking. */
  idOf(type: ReferenceType, name: string): string | undefined;
  /** The ids of all users that are known here. */
  everyone(): readonly string[];
}
