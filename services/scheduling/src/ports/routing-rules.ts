/** The routing rules of all teams, kept by the directory. */
export interface RoutingRules {
  /**
   * One sentence for each routing rule that names the thing (S12).
   *
   * @throws UnavailableError when the directory cannot be asked.
   */
  usesOf(type: 'schedule' | 'escalation', id: string): Promise<readonly string[]>;
}
