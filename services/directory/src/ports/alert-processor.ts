/** The service that owns policies, asked at once. */
export interface AlertProcessor {
  /**
   * Switches the team's policies off; may be repeated (P18).
   *
   * @throws UnavailableError when it cannot be asked.
   */
  disablePoliciesOf(teamId: string): Promise<void>;
}
