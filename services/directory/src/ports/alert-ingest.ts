/** The service that owns integrations, asked at once. */
export interface AlertIngest {
  /**
   * Stops the keys of the team's integrations; may be repeated (S12).
   *
   * @throws UnavailableError when it cannot be asked.
   */
  disableIntegrationsOf(teamId: string): Promise<void>;
}
