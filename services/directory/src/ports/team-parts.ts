/** A service that owns something of each team: alert-ingest its integrations, alert-processor its policies. */
export interface TeamParts {
  /**
   * Disables what the team has there; may be repeated (S12, P18).
   *
   * @throws UnavailableError when the service cannot be asked.
   */
  disableOf(teamId: string): Promise<void>;
}
