/** For which create an effect is asked, and how the log calls the policy that has it. */
export interface Asking {
  readonly label: string;
  /** When the create was accepted. */
  readonly at: Date;
  /** The account's. */
  readonly zone: string;
}
