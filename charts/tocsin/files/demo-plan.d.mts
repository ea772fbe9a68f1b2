/** One thing of the demo: how to see whether it is there, and how to create it. */
export interface DemoThing {
  readonly label: string;
  /** A GET of it: 404 means that it is missing. */
  readonly lookUp: string;
  /**
   * Of something in a list: whether the list, which is the answer to the GET, has it. Then 404 means that the server has not created the
   * owner of the list yet.
   */
  readonly isThere?: (text: string) => boolean;
  readonly create: { readonly path: string; readonly body: unknown };
}

/** The escalation that pages the person on call, and the next one a minute later. */
export const DEMO_ESCALATION: string;

/**
 * The demo in the order of its creation: two users, their team, a rotation that has the first on call from the hour that
 * has just begun in the schedule that the server creates for the team, and an escalation.
 */
export function demoPlan(now: Date): readonly DemoThing[];
